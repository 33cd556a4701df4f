// The difference as a waterfall: what each cause adds or takes away, one exchanged after the other.
import type { Series } from '../charts/theme.ts'
import { Waterfall, type Step } from '../charts/waterfall.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { explainCause, explainDifference } from './explain-restatement.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { causesIn, type Preview } from './use-restatements.ts'

/** As the parts that they mostly move look on other charts. */
const LOOK_OF = {
  identification: 'rest',
  device_figures: 'make',
  electricity: 'use',
  transport_and_packaging: 'transport',
} as const

export function BridgeChart({ preview }: { readonly preview: Preview }) {
  const t = useMessages({ en, de })
  const { short } = useFormat()
  const { bridge, difference } = preview
  const causes = causesIn(bridge)
  const series = causes.map((cause): Series => ({ key: cause, label: t(cause), look: LOOK_OF[cause] }))
  const steps = causes.map((cause): Step => {
    const value = bridge[cause]!
    const why = () => explainCause(t('difference'), cause, value, t)
    return { key: cause, label: t(cause), value, look: LOOK_OF[cause], why }
  })
  const parts = steps.map(({ label, value }) => `${label} ${short(value)}`).join(', ')
  return (
    <Waterfall
      title={t('byCause')}
      summary={t('byCauseSummary', { difference: short(difference), unit: KG, parts })}
      unit={KG}
      series={series}
      steps={steps}
      total={{ label: t('difference'), value: difference, why: () => explainDifference(preview, t) }}
      note={<p className="muted">{t('byCauseNote')}</p>}
    />
  )
}
