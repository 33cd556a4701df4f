// Why a model's footprint is what it is: the stages that its sheet tells, who published it, and how sure it is.
import type { Explanation } from '../components/explanation.ts'
import { KG, plain, sumAsText } from '../emissions/kilograms.ts'
import type { MessageFormatter } from '../i18n/language.tsx'
import type en from './messages.en.json'
import { STAGES, stagesOf, type Model } from './stages.ts'

export function explainModel(model: Model, t: MessageFormatter<keyof typeof en>): Explanation {
  const { brand, name, product_footprint: value, source, uncertainty } = model
  const stages = stagesOf(model)
  const stated = STAGES.flatMap((stage) => (stages[stage] === null ? [] : [{ stage, kilograms: plain(stages[stage]) }]))
  return {
    title: t('footprintOf', { model: `${brand} ${name}` }),
    value,
    unit: KG,
    ...(stated.length > 1 && {
      formula: sumAsText(
        stated.map(({ kilograms }) => kilograms),
        plain(value),
      ),
    }),
    inputs: stated.map(({ stage, kilograms }) => ({
      symbol: '',
      name: t(stage),
      value: kilograms,
      unit: KG,
      from: t(stage === 'rest' ? 'fromTotal' : 'fromSheet'),
    })),
    ...(source && { source }),
    ...(uncertainty && { uncertainty }),
    methodology: 'METHODOLOGY.md#uncertainty',
  }
}
