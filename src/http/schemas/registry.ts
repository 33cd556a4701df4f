// All named schemas: they validate request bodies and appear in the OpenAPI document.
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { NamedSchema } from '../../contract/named-schema.ts'
import * as allocationSchemas from './allocations.ts'
import * as accountSchemas from './account.ts'
import * as batchSchemas from './batch.ts'
import * as batchRequestSchemas from '../../contract/batch-schema.ts'
import * as electricitySchemas from './electricity.ts'
import * as erasureSchemas from './erasure.ts'
import * as estimateSchemas from './estimate.ts'
import * as estimateRequestSchemas from '../../contract/estimate-schema.ts'
import * as feedSchemas from './feed.ts'
import * as webhookSchemas from './webhook.ts'
import * as eventSchemas from '../../contract/event-schema.ts'
import * as previewSchemas from './event-preview.ts'
import { Health } from '../routes/health.ts'
import * as impactSchemas from './impact.ts'
import * as inventoriesSchemas from './inventories.ts'
import * as importSchemas from './import.ts'
import * as importProfileSchemas from './import-profile.ts'
import * as restatementSchemas from './restatement.ts'
import * as ledgerViewSchemas from './ledger.ts'
import * as ledgerSchemas from './order-response.ts'
import { DeviceModel } from './catalogue.ts'
import * as ownFigureRequestSchemas from '../../contract/own-figure-schema.ts'
import * as ownFigureSchemas from './own-figure.ts'
import * as datasetReleaseSchemas from './dataset-release.ts'
import * as pactSchemas from './pact.ts'
import * as passportSchemas from './passport.ts'
import * as periodSchemas from './periods.ts'
import * as reportSchemas from './report.ts'
import * as requestSchemas from '../../contract/order-schema.ts'
import * as productSchemas from './product.ts'
import * as receiptSchemas from './receipt.ts'
import * as responseSchemas from './response.ts'
import * as scenarioRequestSchemas from '../../contract/scenario-schema.ts'
import * as scenarioSchemas from './scenario.ts'
import * as statementSchemas from './statement.ts'
import { createAjv, createValidator, type Validate } from '../../contract/validation.ts'

const isComponent = (value: unknown): value is NamedSchema =>
  typeof value === 'object' && value !== null && '$id' in value

export const NAMED_SCHEMAS: readonly NamedSchema[] = [
  ...Object.values<unknown>(requestSchemas),
  ...Object.values<unknown>(eventSchemas),
  ...Object.values<unknown>(previewSchemas),
  ...Object.values<unknown>(feedSchemas),
  ...Object.values<unknown>(webhookSchemas),
  ...Object.values<unknown>(batchRequestSchemas),
  ...Object.values(batchRequestSchemas.EVENTS_OF_ORDERS),
  ...Object.values(batchRequestSchemas.EVENTS_OF_DEVICES),
  ...Object.values<unknown>(batchSchemas),
  ...Object.values<unknown>(allocationSchemas),
  ...Object.values<unknown>(ledgerViewSchemas),
  ...Object.values<unknown>(ledgerSchemas),
  ...Object.values<unknown>(receiptSchemas),
  ...Object.values<unknown>(estimateRequestSchemas),
  ...Object.values<unknown>(estimateSchemas),
  ...Object.values<unknown>(productSchemas),
  ...Object.values<unknown>(electricitySchemas),
  ...Object.values<unknown>(impactSchemas),
  ...Object.values<unknown>(scenarioRequestSchemas),
  ...Object.values<unknown>(scenarioSchemas),
  ...Object.values<unknown>(inventoriesSchemas),
  ...Object.values<unknown>(importSchemas),
  ...Object.values<unknown>(importProfileSchemas),
  ...Object.values<unknown>(restatementSchemas),
  ...Object.values<unknown>(accountSchemas),
  ...Object.values<unknown>(ownFigureRequestSchemas),
  ...Object.values<unknown>(ownFigureSchemas),
  ...Object.values<unknown>(pactSchemas),
  ...Object.values<unknown>(passportSchemas),
  ...Object.values<unknown>(periodSchemas),
  ...Object.values<unknown>(erasureSchemas),
  ...Object.values<unknown>(statementSchemas),
  ...Object.values<unknown>(reportSchemas),
  ...Object.values<unknown>(responseSchemas),
  ...Object.values<unknown>(datasetReleaseSchemas),
  DeviceModel,
  Health,
].filter(isComponent)

let ajv: Ajv2020 | undefined
const validators = new Map<string, Validate>()

/** Returns the validator for a named schema; each schema is compiled once per process, for the first body. */
export function validatorOf(schema: NamedSchema): Validate {
  const known = validators.get(schema.$id)
  if (known) return known
  let compiled: Validate | undefined
  const validator: Validate = (body) => {
    compiled ??= createValidator((ajv ??= createAjv(NAMED_SCHEMAS)), schema)
    return compiled(body)
  }
  validators.set(schema.$id, validator)
  return validator
}
