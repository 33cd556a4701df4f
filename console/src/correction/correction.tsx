// An order as it is now, read to be corrected, with the lists that its items are chosen from.
import { usePackagings, useTransports } from '../api/factor-lists.ts'
import { Loaded } from '../components/loading-and-error.tsx'
import type { OrderKey } from '../orders/order-path.ts'
import { useSession } from '../session/session.tsx'
import { CorrectionForm, type CorrectionFormProps } from './correction-form.tsx'
import { useContent } from './use-correction.ts'
import '../estimate/estimate.css'
import './correction.css'

export interface CorrectionProps {
  readonly orderKey: OrderKey
  readonly onClose: () => void
}

export function Correction({ orderKey, onClose }: CorrectionProps) {
  const content = useContent(orderKey)
  const Form = useSession().may('catalogue:read') ? ListedForm : CorrectionForm
  return (
    <Loaded query={content}>
      {(read) => (
        // Read anew, it is another form: nothing of what was filled in is left.
        <Form
          key={content.dataUpdatedAt}
          orderKey={orderKey}
          read={read}
          transports={null}
          packagings={null}
          onClose={onClose}
          onReload={() => void content.refetch()}
        />
      )}
    </Loaded>
  )
}

/** For those who may read the catalogue. */
function ListedForm(form: CorrectionFormProps) {
  const transports = useTransports()
  const packagings = usePackagings()
  return (
    <Loaded query={transports}>
      {({ packagings: ways }) => (
        <Loaded query={packagings}>
          {({ packagings: materials }) => <CorrectionForm {...form} transports={ways} packagings={materials} />}
        </Loaded>
      )}
    </Loaded>
  )
}
