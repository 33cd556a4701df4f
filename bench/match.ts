// The matcher alone: how long it takes to build, and how long a look-up takes on the texts of test/matching.
//   node bench/match.ts                prints the figures as JSON
import { createMatcher } from '../src/engine/matching/matcher.ts'
import { productText, readCases } from '../test/matching-cases.ts'
import { shippedReferenceData } from '../test/shipped-book.ts'

const ROUNDS = 20

const microseconds = (run: () => unknown): number => {
  const startedAt = performance.now()
  run()
  return (performance.now() - startedAt) * 1000
}

const { referenceData } = shippedReferenceData()
const builtAt = performance.now()
const builtFrom = process.cpuUsage()
const matcher = createMatcher(referenceData)
const buildMs = performance.now() - builtAt
// On a busy machine the processor's time says more than the clock.
const buildCpuMs = process.cpuUsage(builtFrom).user / 1000
const texts = readCases('tune').map(productText)
const times = Array.from({ length: ROUNDS }, () => texts.map((text) => microseconds(() => matcher.match(text)))).flat()
const sorted = times.sort((a, b) => a - b)
const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)]!)
console.log(
  JSON.stringify({
    models: referenceData.models.size,
    buildMs: Math.round(buildMs),
    buildCpuMs: Math.round(buildCpuMs),
    medianUs: at(0.5),
    p99Us: at(0.99),
  }),
)
