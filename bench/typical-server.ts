// The peer (b), the way this is usually built: Fastify, its validation as shipped, one transaction per request.
//   PGHOST=… PGUSER=… PGPASSWORD=… PGDATABASE=… BENCH_API_KEY=… node bench/typical-server.ts
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { Pool } from 'pg'
import { estimateUsually, type UsualOrder } from './typical-estimate.ts'
import { createKeyCheck, createTables, insertOrder } from './typical-store.ts'

// The pool that did best here out of 10, 16 and 20: the peer is to be as good as it gets without another design.
const POOL_CONNECTIONS = 20

const text = { type: 'string', minLength: 1, maxLength: 200 } as const
const weight = { type: 'number', minimum: 0, maximum: 40_000 } as const

const CONFIGS = {
  product: {
    type: 'object',
    required: ['product_id', 'serial_number', 'tenure_months', 'weight_kg'],
    properties: {
      product_id: text,
      serial_number: text,
      tenure_months: { type: 'integer', minimum: 0 },
      weight_kg: weight,
    },
  },
  transportation: {
    type: 'object',
    required: ['transportation_id', 'transportation_mode', 'distance_km', 'weight_kg'],
    properties: {
      transportation_id: text,
      transportation_mode: text,
      weight_kg: weight,
      distance_km: { type: 'number', minimum: 0 },
    },
  },
  packaging: {
    type: 'object',
    required: ['packaging_id', 'weight_kg'],
    properties: { packaging_id: text, weight_kg: weight },
  },
} as const

const ITEM_SCHEMA = {
  type: 'object',
  required: ['type', 'config'],
  properties: { type: { enum: Object.keys(CONFIGS) }, config: { type: 'object' } },
  allOf: Object.entries(CONFIGS).map(([type, config]) => ({
    if: { properties: { type: { const: type } } },
    then: { properties: { config } },
  })),
}

const ORDER_SCHEMA = {
  type: 'object',
  required: ['customer_id', 'order_id', 'order_date', 'tenure_start_date'],
  properties: {
    customer_id: text,
    order_id: text,
    order_date: { type: 'string', format: 'date' },
    tenure_start_date: { type: 'string', format: 'date' },
    items: { type: 'array', maxItems: 1000, items: ITEM_SCHEMA },
  },
}

const UNAUTHORIZED = { code: 'unauthorized', detail: 'The API key is missing or invalid.' }

function createUsualServer(pool: Pool) {
  const findAccount = createKeyCheck(pool)
  const server = fastify()
  const create = async (request: FastifyRequest<{ Body: UsualOrder }>, reply: FastifyReply) => {
    const accountId = await findAccount(String(request.headers['x-api-key'] ?? ''))
    if (accountId === null) return reply.code(401).send(UNAUTHORIZED)
    const estimate = estimateUsually(request.body)
    await insertOrder(pool, accountId, request.body, estimate)
    return estimate
  }
  server.post('/api/customer-orders', { schema: { body: ORDER_SCHEMA } }, create)
  return server
}

const pool = new Pool({ max: POOL_CONNECTIONS })
await createTables(pool, process.env['BENCH_API_KEY'] ?? 'bench')
const server = createUsualServer(pool)
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.once('SIGTERM', () => process.exit(0))
