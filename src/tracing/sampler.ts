// Which traces are kept: OTEL_TRACES_SAMPLER and its argument, which the SDK leaves to the program to read.
import { getStringFromEnv } from '@opentelemetry/core'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'

const PARENT_BASED = 'parentbased_'

/** All, unless the caller's `traceparent` says that its trace is not kept. */
const USUAL = `${PARENT_BASED}always_on`

/** @throws Error with a sentence when there is no such sampler, or its argument is no share */
export function readSampler(): Sampler {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? USUAL
  const isParentBased = name.startsWith(PARENT_BASED)
  const root = rootSampler(isParentBased ? name.slice(PARENT_BASED.length) : name)
  if (root === null) {
    throw new Error(
      'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, or one of them after parentbased_, ' +
        `not "${name}"`,
    )
  }
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: string): Sampler | null {
  if (name === 'always_on') return new AlwaysOnSampler()
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(readShare()) : null
}

function readShare(): number {
  const text = getStringFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const share = Number(text)
  if (!(share >= 0 && share <= 1)) throw new Error(`OTEL_TRACES_SAMPLER_ARG must be from 0 to 1, not "${text}"`)
  return share
}
