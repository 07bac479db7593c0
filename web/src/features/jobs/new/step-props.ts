import type { NewJobForm } from "./new-job.ts";

/** What a part of the form gets. */
export interface StepProps {
  form: NewJobForm;
  change: (part: Partial<NewJobForm>) => void;
  faults: Record<string, string>;
}
