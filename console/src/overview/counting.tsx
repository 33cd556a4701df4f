// How the overview is counted: each choice with a sentence, and both inventories beside one another.
import { useId } from 'react'
import { useFilters } from '../components/filters.ts'
import { Loaded } from '../components/loading-and-error.tsx'
import { Panel } from '../components/panel.tsx'
import { DATE_BASES, REPORTING_ENTITIES } from '../emissions/inventory-boundary.ts'
import { massUnit } from '../emissions/mass.ts'
import { useReport, type ReportQuery } from '../emissions/report-query.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { FILTERS, useView } from './filters.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export interface CountingProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function Counting({ isOpen, onClose }: CountingProps) {
  const t = useMessages({ en, de })
  const { query } = useView()
  const { setFilters } = useFilters(FILTERS)
  return (
    <Panel title={t('howCounted')} isOpen={isOpen} onClose={onClose}>
      <fieldset className="overview-choices">
        <legend>{t('perspective')}</legend>
        {REPORTING_ENTITIES.map((entity) => (
          <Choice
            key={entity}
            name="reporting_entity"
            title={t(entity)}
            sentence={t(`${entity}Help`)}
            isChosen={query.reporting_entity === entity}
            onChoose={() => setFilters({ reporting_entity: entity })}
          >
            <TotalOf query={{ ...query, reporting_entity: entity }} isWanted={isOpen} />
          </Choice>
        ))}
      </fieldset>
      <fieldset className="overview-choices">
        <legend>{t('date_basis')}</legend>
        {DATE_BASES.map((basis) => (
          <Choice
            key={basis}
            name="date_basis"
            title={t(basis)}
            sentence={t(`${basis}Help`)}
            isChosen={query.date_basis === basis}
            onChoose={() => setFilters({ date_basis: basis })}
          />
        ))}
      </fieldset>
      <p className="muted">{t('alike')}</p>
    </Panel>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly title: string
  readonly sentence: string
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly children?: React.ReactNode
}

function Choice({ name, title, sentence, isChosen, onChoose, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className="overview-choice">
      <input id={id} type="radio" name={name} checked={isChosen} onChange={onChoose} aria-describedby={`${id}-help`} />
      <label htmlFor={id}>{title}</label>
      <div id={`${id}-help`} className="muted">
        {sentence} {children}
      </div>
    </div>
  )
}

function TotalOf({ query, isWanted }: { readonly query: ReportQuery; readonly isWanted: boolean }) {
  const t = useMessages({ en, de })
  const { short } = useFormat()
  const report = useReport(query, isWanted)
  return (
    <Loaded query={report}>
      {({ total_emission: total }) => {
        const { unit, of } = massUnit(total)
        return <strong>{t('totalIs', { total: `${short(of(total))} ${unit}` })}</strong>
      }}
    </Loaded>
  )
}
