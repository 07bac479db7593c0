import type { NewJobForm } from "./new-job.ts";

/** Props of a part of the form. */
export interface StepProps {
  form: NewJobForm;
  change: (part: Partial<NewJobForm>) => void;
  faults: Record<string, string>;
}
