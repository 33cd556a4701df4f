// Messages about reports that cannot be computed.
import { defineMessages } from '../engine/message.ts'

export const REPORT_MESSAGES = defineMessages({
  groups_exceeded:
    'A report has at most {max} groups; this one has more: group by less, or ask for fewer days or customers',
})
