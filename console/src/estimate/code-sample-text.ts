// A request to POST /api/estimates as text: it works as it is, once CRADLE_API_KEY is set.
import type { EstimateBody } from './form-to-request.ts'

export type CallForm = 'curl' | 'TypeScript'

export function callOf(form: CallForm, body: EstimateBody, origin: string): string {
  const url = `${origin}/api/estimates`
  const json = JSON.stringify(body, null, 2)
  return form === 'curl' ? curl(url, json) : typeScript(url, json)
}

/** The quoted end mark keeps the shell from touching what is between. */
const curl = (url: string, json: string): string =>
  `curl -s '${url}' \\
  -H "X-API-Key: $CRADLE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  --data-binary @- <<'ORDER'
${json}
ORDER`

const typeScript = (url: string, json: string): string =>
  `const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'X-API-Key': process.env.CRADLE_API_KEY!, 'Content-Type': 'application/json' },
  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),
})
if (!response.ok) throw new Error(await response.text())
const { total_emission, emission_unit } = await response.json()
console.log(total_emission, emission_unit)`
