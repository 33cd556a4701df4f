// Whether anything that the program wrote holds what it must not: keys, and the password of its database.
import type { Subject } from './subject.ts'

/** Every secret that stands in the logs or the metrics, told by its first characters. */
export async function secretsWritten({ secrets, written }: Subject): Promise<readonly string[]> {
  const text = await written()
  return secrets()
    .filter((secret) => text.includes(secret))
    .map((secret) => `${secret.slice(0, 9)}… stands in the logs or the metrics`)
}
