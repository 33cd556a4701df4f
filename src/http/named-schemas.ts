// Every schema that has a name: bodies are validated by them, and the document shows them.
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { NamedSchema } from './requests/component.ts'
import * as accountSchemas from './account/account-schema.ts'
import * as estimateSchemas from './estimates/estimate-schema.ts'
import * as eventSchemas from './wire/event-schema.ts'
import { Health } from './serving/health.ts'
import * as importSchemas from './imports/import-schema.ts'
import * as journalSchemas from './wire/journal-schema.ts'
import * as ledgerSchemas from './wire/ledger-schema.ts'
import * as matchSchemas from './products/match-view.ts'
import { DeviceModel } from './catalogue/model-schema.ts'
import * as reportSchemas from './reports/report-schema.ts'
import * as requestSchemas from './wire/order-schema.ts'
import * as productSchemas from './products/product-schema.ts'
import * as qualitySchemas from './reports/quality-schema.ts'
import * as receiptSchemas from './wire/receipt-schema.ts'
import * as responseSchemas from './wire/response-schema.ts'
import * as statementSchemas from './statements/statement-schema.ts'
import { createAjv, createValidator, type Validate } from './requests/validate.ts'

const isComponent = (value: unknown): value is NamedSchema =>
  typeof value === 'object' && value !== null && '$id' in value

/** Every schema that has a name. */
export const NAMED_SCHEMAS: readonly NamedSchema[] = [
  ...Object.values<unknown>(requestSchemas),
  ...Object.values<unknown>(eventSchemas),
  ...Object.values<unknown>(journalSchemas),
  ...Object.values<unknown>(ledgerSchemas),
  ...Object.values<unknown>(receiptSchemas),
  ...Object.values<unknown>(estimateSchemas),
  ...Object.values<unknown>(matchSchemas),
  ...Object.values<unknown>(productSchemas),
  ...Object.values<unknown>(importSchemas),
  ...Object.values<unknown>(accountSchemas),
  ...Object.values<unknown>(statementSchemas),
  ...Object.values<unknown>(reportSchemas),
  ...Object.values<unknown>(qualitySchemas),
  ...Object.values<unknown>(responseSchemas),
  DeviceModel,
  Health,
].filter(isComponent)

let ajv: Ajv2020 | undefined
const validators = new Map<string, Validate>()

/** The check of a body by one of these schemas, compiled once a process. */
export function validatorOf(schema: NamedSchema): Validate {
  const known = validators.get(schema.$id)
  if (known) return known
  ajv ??= createAjv(NAMED_SCHEMAS)
  const validator = createValidator(ajv, schema)
  validators.set(schema.$id, validator)
  return validator
}
