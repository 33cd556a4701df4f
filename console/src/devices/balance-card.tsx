// What was put into a device is what became of it: an equation with its figures, to the milligram.
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { Figure } from '../components/figure.tsx'
import type { Why } from '../components/explanation.ts'
import { KG } from '../emissions/kilograms.ts'
import {
  explainBought,
  explainAllocated,
  explainWrittenOff,
  explainRemaining,
  explainRefurbished,
} from './explain-balance.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { balanceOf } from './history.ts'
import type { DeviceData } from './events.ts'

interface Term {
  /** What stands before it. */
  readonly sign: '' | '+' | '='
  readonly label: string
  readonly value: number
  readonly why: Why
}

export function BalanceCard(data: DeviceData) {
  const t = useMessages({ en, de })
  const format = useFormat()
  const balance = balanceOf(data.history)
  const { initial, refurbished, allocated, writtenOff, remaining, closes } = balance
  const terms: readonly Term[] = [
    { sign: '', label: t('initial'), value: initial, why: () => explainBought(data, initial, t, format) },
    { sign: '+', label: t('refurbished'), value: refurbished, why: () => explainRefurbished(data, refurbished, t) },
    { sign: '=', label: t('allocated'), value: allocated, why: () => explainAllocated(data, allocated, t) },
    ...(writtenOff === 0
      ? []
      : [
          {
            sign: '+' as const,
            label: t('writtenOff'),
            value: writtenOff,
            why: () => explainWrittenOff(data, writtenOff, t),
          },
        ]),
    { sign: '+', label: t('remaining'), value: remaining, why: () => explainRemaining(balance, t) },
  ]
  return (
    <section className="card" aria-labelledby="devices-equation">
      <h2 id="devices-equation">{t('balance')}</h2>
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
        {t(closes ? 'balanceCloses' : 'balanceDiffers', { unit: KG })}
      </p>
    </section>
  )
}
