// Messages about work in other processes that did not get done.
import { defineMessages } from '../engine/message.ts'

export const WORKER_MESSAGES = defineMessages({
  reports_behind: 'Many entries were posted recently and are being prepared for reports; try again in some seconds',
  report_worker_ended: 'The process that computes this response has ended, perhaps for lack of memory; try again',
  pdf_worker_ended: 'The process that draws statements has ended; try again',
  file_not_detected: 'The database cannot be reached; send the file again',
  detection_not_started: 'The process that inspects files cannot be started; try again',
  detection_too_slow: 'Inspecting the file took longer than {seconds} s and was abandoned; split it, or save it as CSV',
  detection_too_large:
    'Inspecting the file took more memory than a file may take and was abandoned; split it, or save it as CSV',
})
