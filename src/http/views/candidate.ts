// Candidates of a match as JSON.
import { printCandidate, type Candidate } from '../../engine/matching/matcher.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { referenceView } from './message.ts'

export const candidateView = (candidate: Candidate, referenceData: ReferenceData) => ({
  ...printCandidate(candidate, referenceData),
  reason_messages: candidate.reasons.map(referenceView),
})
