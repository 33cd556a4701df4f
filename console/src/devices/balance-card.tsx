// What was put into a device is what became of it: an equation with its figures, to the milligram.
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Figure } from '../components/figure.tsx'
import type { Why } from '../components/explanation.ts'
import { KG } from '../emissions/kilograms.ts'
import { explainBought, explainCharged, explainRemaining, explainLeft, explainRefurbished } from './explain-balance.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { equationOf } from './history.ts'
import type { EventText } from './events.ts'

interface Term {
  /** What stands before it. */
  readonly sign: '' | '+' | '='
  readonly label: string
  readonly value: number
  readonly why: Why
}

export function EquationCard(told: EventText) {
  const say = useMessages({ en, de })
  const format = useFormat()
  const equation = equationOf(told.history)
  const { initial, refurbished, charged, kept, remaining, closes } = equation
  const terms: readonly Term[] = [
    { sign: '', label: say('initial'), value: initial, why: () => explainBought(told, initial, say, format) },
    { sign: '+', label: say('refurbished'), value: refurbished, why: () => explainRefurbished(told, refurbished, say) },
    { sign: '=', label: say('charged'), value: charged, why: () => explainCharged(told, charged, say) },
    ...(kept === 0
      ? []
      : [{ sign: '+' as const, label: say('kept'), value: kept, why: () => explainRemaining(told, kept, say) }]),
    { sign: '+', label: say('remaining'), value: remaining, why: () => explainLeft(equation, say) },
  ]
  return (
    <section className="card" aria-labelledby="devices-equation">
      <h2 id="devices-equation">{say('equation')}</h2>
      <ul className="bare devices-equation">
        {terms.map(({ sign, label, value, why }) => (
          <li key={label}>
            {sign !== '' && <span className="devices-sign">{sign}</span>}
            <span>
              <Figure value={value} unit={KG} isExact why={why} />
              <span className="devices-term">{label}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className={closes ? 'devices-closes' : 'devices-open'} role={closes ? undefined : 'alert'}>
        {say(closes ? 'closes' : 'doesNotClose', { unit: KG })}
      </p>
    </section>
  )
}
