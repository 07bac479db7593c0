/** A call with the columns that reports and exports need. */
export interface ReportRow {
  id: string;
  job_id: string | null;
  line: number | null;
  external_id: string | null;
  customer_number: string;
  from_number: string | null;
  contact_name: string | null;
  contact_email: string | null;
  status: string;
  outcome: string | null;
  end_reason: string | null;
  answered_by: string | null;
  attempts_made: number;
  max_attempts: number;
  error: { code: string; message: string } | null;
  row_data: Record<string, unknown> | null;
  duration_ms: number | null;
  extracted_fields: Record<string, unknown> | null;
  created_at: Date;
  started_at: Date | null;
  answered_at: Date | null;
  ended_at: Date | null;
}
