// Why a figure of the quality board is what it is.
import { sumOf, type Bar } from '../charts/bars.ts'
import type { Series } from '../charts/theme.ts'
import type { Explanation, Why } from '../components/explanation.ts'
import type { MessageFormatter } from '../i18n/language.tsx'
import type en from './messages.en.json'
import type { QualityData } from './quality-data.ts'
import { KG, plain } from '../emissions/kilograms.ts'

type ReportMessages = MessageFormatter<keyof typeof en>
export type Improvement = QualityData['to_improve'][number]

/** @param isOfUse whether its whole is use alone */
export function explainQuality(
  quality: QualityData,
  bar: Bar,
  piece: Series | null,
  isOfUse: boolean,
  t: ReportMessages,
): Why {
  const value = piece ? (bar.values[piece.key] ?? 0) : plain(sumOf(bar))
  const whole = isOfUse ? quality.by_country.reduce((sum, row) => sum + row.use_emission, 0) : quality.total_emission
  const percent = whole === 0 ? 0 : Number(((value / whole) * 100).toPrecision(3))
  return () => ({
    title: piece ? `${bar.label}: ${piece.label}` : bar.label,
    value,
    formula: t('sumOfEntries'),
    ...behind(quality, t),
    notes: [t(isOfUse ? 'shareOfUse' : 'shareIs', { percent: String(percent) }), t('qualityRule')],
  })
}

/** @param figure which of the figures of a product */
export function explainImprovement(
  quality: QualityData,
  improvement: Improvement,
  figure: 'total_emission' | 'width',
  t: ReportMessages,
): Why {
  const { product_id: title, width, low, high } = improvement
  return () => ({
    title,
    value: improvement[figure],
    formula: figure === 'width' ? `${high} − ${low} = ${width}` : t('sumOfEntries'),
    ...behind(quality, t),
    notes: [t('qualityRule'), t('improvementsHelp')],
  })
}

const behind = (
  quality: QualityData,
  t: ReportMessages,
): Pick<Explanation, 'unit' | 'methodology' | 'release' | 'links' | 'call'> => ({
  unit: KG,
  methodology: 'METHODOLOGY.md#uncertainty',
  release: quality.dataset_releases.join(', '),
  links: [{ path: '/matching', label: t('toMatching') }],
  call: quality.call,
})
