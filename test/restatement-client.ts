// Restatements over HTTP as tests ask for them: releases to restate to, orders to be restated, and what they come to.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { SCOPES, ensureAccount } from '../src/postgres/accounts.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { changedRelease, type ChangedRow } from './changed-release.ts'
import type { Json } from './document-check.ts'
import { pathOf } from './order-client.ts'
import { BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import type { Service } from './service.ts'

export type Ask = (method: string, path: string, body?: Json, status?: number) => Promise<Json>

/** A client of an account of its own. */
export async function createAccountClient(service: Service, name: string): Promise<Ask> {
  await ensureAccount(service.pool, name)
  const key = await service.createKey(SCOPES, null, name)
  return async (method, path, body, expected) => {
    const { status, text } = await service.ask(path, {
      method,
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        ...(method === 'PUT' && path.startsWith('/api/customer-orders') && { 'if-match': '*' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.ok(expected === undefined ? status < 300 : status === expected, `${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as Json
  }
}

export async function registerChanged(service: Service, name: string, changes: readonly ChangedRow[]): Promise<string> {
  const { referenceData, files } = changedRelease(name, changes)
  await registerRelease(service.pool, referenceData.release, referenceData.hash, files)
  return referenceData.release
}

async function finished(ask: Ask, id: unknown): Promise<Json> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const found = await ask('GET', `/api/restatements/${String(id)}`)
    if (found['state'] !== 'previewing' && found['state'] !== 'applying') return found
    await sleep(50)
  }
  throw new Error('The restatement does not end')
}

export async function previewed(ask: Ask, body: Json): Promise<Json> {
  const { restatement_id: id } = await ask('POST', '/api/restatements', { reason: 'test', ...body }, 202)
  const found = await finished(ask, id)
  assert.equal(found['state'], 'previewed', JSON.stringify(found))
  return found
}

export async function applied(ask: Ask, preview: Json): Promise<Json> {
  const { digest } = preview['preview'] as Json
  const path = `/api/restatements/${String(preview['restatement_id'])}`
  await ask('POST', `${path}/apply`, { digest }, 202)
  return finished(ask, preview['restatement_id'])
}

export const milligrams = (kilograms: unknown): bigint => BigInt(Math.round(Number(kilograms) * 1e6))

export const totals = async (ask: Ask): Promise<ReadonlyMap<string, bigint>> =>
  new Map(
    ((await ask('GET', '/api/customer-orders')) as unknown as Json[]).map((order) => [
      `${String(order['customer_id'])}/${String(order['order_id'])}`,
      milligrams(order['total_emission']),
    ]),
  )

/** Orders of two customers that share a device, with a return, a swap, a refurbishment and parcels. */
export async function recordOrders(ask: Ask): Promise<void> {
  const post = (order: Json) => ask('POST', '/api/customer-orders', order)
  await post(orderOf('acme', 'a', '2024-01-01', [laptop('R1', 12), laptop('R2', 24), VAN], { country: 'DE' }))
  await post(orderOf('beta', 'b', '2025-01-01', [laptop('R1', 12), BOX], { country: 'FR' }))
  await post(orderOf('beta', 'parcel', '2025-03-01', [VAN, BOX]))
  await post(orderOf('acme', 'phone', '2025-01-01', [laptop('R9', 6, { product_id: 'zz-1', weight_kg: 0.2 })]))
  const tell = (path: string, event: Json) => ask('POST', path, event)
  await tell(`${pathOf('acme', 'a')}/events`, {
    event_id: 'e1',
    type: 'returned',
    serial_number: 'R1',
    date: '2024-10-10',
  })
  await tell(`${pathOf('acme', 'a')}/events`, {
    event_id: 'e2',
    type: 'swapped',
    serial_number: 'R2',
    date: '2024-08-01',
    new_serial_number: 'R3',
    weight_kg: 1.3,
  })
  await tell('/api/devices/R1/events', {
    event_id: 'e3',
    type: 'refurbished',
    date: '2024-11-01',
    emission_kg: 4,
    lifetime_months_added: 12,
  })
}
