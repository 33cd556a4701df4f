// Every schema that has a name: bodies are validated by them, and the document shows them.
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Component } from './component.ts'
import * as accountSchemas from './account-schema.ts'
import * as estimateSchemas from './estimate-schema.ts'
import * as eventSchemas from './event-schema.ts'
import { Health } from './health.ts'
import * as importSchemas from './import-schema.ts'
import * as journalSchemas from './journal-schema.ts'
import * as ledgerSchemas from './ledger-schema.ts'
import * as matchSchemas from './match-view.ts'
import { DeviceModel } from './model-schema.ts'
import * as reportSchemas from './report-schema.ts'
import * as requestSchemas from './order-schema.ts'
import * as productSchemas from './product-schema.ts'
import * as qualitySchemas from './quality-schema.ts'
import * as receiptSchemas from './receipt-schema.ts'
import * as responseSchemas from './response-schema.ts'
import * as statementSchemas from './statement-schema.ts'
import { createAjv, createValidator, type Validate } from './validate.ts'

const isComponent = (value: unknown): value is Component =>
  typeof value === 'object' && value !== null && '$id' in value

/** Every schema that has a name. */
export const COMPONENTS: readonly Component[] = [
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
export function validatorOf(schema: Component): Validate {
  const known = validators.get(schema.$id)
  if (known) return known
  ajv ??= createAjv(COMPONENTS)
  const validator = createValidator(ajv, schema)
  validators.set(schema.$id, validator)
  return validator
}
