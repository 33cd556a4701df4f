// /api/import-profiles: kept settings of files, which are used by name and suggested for files with the same header.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { unknownMembers } from '../../contract/parse-order.ts'
import type { Validate } from '../../contract/validation.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import type { Problem } from '../../engine/order.ts'
import { PROBLEMS_MAX } from '../../engine/validate-order.ts'
import type { ImportProfiles, NewImportProfile, StoredImportProfile } from '../../postgres/import-profiles.ts'
import type { Imports } from '../../postgres/imports.ts'
import { problemsOfRegister, problemsOfValues } from '../../spreadsheets/settings-problems.ts'
import { headerHash, settingsToKeep, type SentSettings } from '../../spreadsheets/profile-settings.ts'
import type { DetectionEvidence, Settings } from '../../spreadsheets/settings.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import { IGNORED_HEADER, isText, parseQuery, setIgnoredHeader } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { RouteDefinition } from '../route-definition.ts'
import {
  EXAMPLE_IMPORT_PROFILE,
  IMPORT_PROFILE_NAME_MAX,
  ImportProfile,
  ImportProfileParams,
  ImportSettings,
  type WireImportProfile,
} from '../schemas/import-profile.ts'
import type { DetectedSettings } from '../views/import.ts'

export interface ImportProfilesContext {
  readonly importProfiles: ImportProfiles
  readonly imports: Imports
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const PATH = '/api/import-profiles'
const PROFILE_PATH = `${PATH}/{name}`
const NAME = { name: { description: 'Name of the profile.', example: EXAMPLE_IMPORT_PROFILE.name } }
const ANSWER = { description: 'The profile.', schema: schemaRef(ImportProfile), example: EXAMPLE_IMPORT_PROFILE }
/** Profiles of an account. */
const IMPORT_PROFILES_MAX = 100
/** Of header and settings together. */
const PROFILE_LENGTH_MAX = 200_000

export const importProfileOperations = (context: ImportProfilesContext): readonly RouteDefinition[] => [
  listOperation(context),
  getOperation(context),
  putOperation(context, context.validatorOf(ImportProfileParams)),
  deleteOperation(context),
]

const listOperation = ({ importProfiles }: ImportProfilesContext): RouteDefinition => ({
  id: 'listImportProfiles',
  method: 'GET',
  path: PATH,
  summary: 'List import profiles',
  description: `Returns all import profiles of the account by name, at most ${IMPORT_PROFILES_MAX}.`,
  tag: 'Imports',
  scope: 'orders:read',
  query: {},
  answer: {
    description: 'The profiles.',
    schema: Type.Array(schemaRef(ImportProfile)),
    example: [EXAMPLE_IMPORT_PROFILE],
  },
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    return reply.send((await importProfiles.list(callerOf(request).accountId)).map(profileView))
  },
})

const getOperation = ({ importProfiles }: ImportProfilesContext): RouteDefinition => ({
  id: 'getImportProfile',
  method: 'GET',
  path: PROFILE_PATH,
  summary: 'Get an import profile',
  description: 'Returns the kept settings, and the header of the files for which they are suggested.',
  tag: 'Imports',
  scope: 'orders:read',
  pathParameters: NAME,
  query: {},
  answer: ANSWER,
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const name = nameOf(request)
    return answer(reply, name, await importProfiles.find(callerOf(request).accountId, name))
  },
})

const putOperation = (context: ImportProfilesContext, validate: Validate): RouteDefinition => ({
  id: 'putImportProfile',
  method: 'PUT',
  path: PROFILE_PATH,
  summary: 'Keep the settings of a file',
  description:
    'Keeps how files with a certain header are read: of an import, with `import_id`, also of a dry run; or as sent, ' +
    'with `header` and `settings`. Of an import, the columns, tables of values, dates and decimals are kept, and ' +
    'what was requested. Replaces a profile of the same name. `POST /api/imports` uses it with `profile`, and ' +
    'suggests it for a file with the same header. Imports do not change. Erasing a customer also removes the ' +
    'profiles that name it.',
  tag: 'Imports',
  scope: 'orders:write',
  pathParameters: NAME,
  query: {},
  body: {
    schema: ImportProfileParams,
    example: { import_id: 17 },
    others: { sent: { header: EXAMPLE_IMPORT_PROFILE.header, settings: EXAMPLE_IMPORT_PROFILE.settings } },
  },
  answer: { ...ANSWER, headers: IGNORED_HEADER },
  failures: ['invalid_request', 'not_found', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const name = nameOf(request)
    const { problems } = validate(request.body)
    const wire = request.body as WireImportProfile
    const faults = problems.length > 0 ? problems : problemsOf(wire)
    if (faults.length > 0) throw invalidRequest(faults.slice(0, PROBLEMS_MAX))
    setIgnoredHeader(reply, ignoredIn(wire))
    const { accountId } = callerOf(request)
    const kept =
      wire.import_id === undefined ? sentProfile(wire) : await profileOfImport(context, accountId, wire.import_id)
    const stored = await context.importProfiles.put(accountId, toNewProfile(name, kept), IMPORT_PROFILES_MAX)
    if (stored) return reply.send(profileView(stored))
    throw invalidRequest([{ path: '', ...ROUTE_MESSAGES.import_profiles_exceeded({ max: IMPORT_PROFILES_MAX }) }])
  },
})

const deleteOperation = ({ importProfiles }: ImportProfilesContext): RouteDefinition => ({
  id: 'deleteImportProfile',
  method: 'DELETE',
  path: PROFILE_PATH,
  summary: 'Delete an import profile',
  description: 'Deletes the kept settings. Imports that used them do not change.',
  tag: 'Imports',
  scope: 'orders:write',
  pathParameters: NAME,
  query: {},
  answer: { ...ANSWER, description: 'The deleted profile.' },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const name = nameOf(request)
    return answer(reply, name, await importProfiles.remove(callerOf(request).accountId, name))
  },
})

function answer(reply: FastifyReply, name: string, found: StoredImportProfile | null): FastifyReply {
  if (found) return reply.send(profileView(found))
  throw new ApiError('not_found', ROUTE_MESSAGES.import_profile_unknown({ name: name.slice(0, 80) }))
}

/** @throws ApiError for a name that no profile can have */
function nameOf(request: FastifyRequest): string {
  const name = (request.params as { readonly name: string }).name.normalize('NFC').trim()
  if (isText(name) && [...name].length <= IMPORT_PROFILE_NAME_MAX && !/^\.\.?$/.test(name)) return name
  throw invalidRequest([{ path: '', ...ROUTE_MESSAGES.import_profile_name({ max: IMPORT_PROFILE_NAME_MAX }) }])
}

/** What the schema does not say. */
function problemsOf({ import_id: importId, header, settings = {} }: WireImportProfile): readonly Problem[] {
  if ((importId === undefined) === (header === undefined))
    return [{ path: '/import_id', ...ROUTE_MESSAGES.import_profile_of_two() }]
  if (importId !== undefined && Object.keys(settings).length > 0)
    return [{ path: '/settings', ...ROUTE_MESSAGES.import_profile_of_two() }]
  const { values, register } = settings
  const ofSettings = [...(values ? problemsOfValues(values) : []), ...(register ? problemsOfRegister(register) : [])]
  return ofSettings.map((problem) => ({ ...problem, path: `/settings${problem.path}` }))
}

const ignoredIn = (wire: WireImportProfile): readonly string[] => [
  ...unknownMembers(wire, Object.keys(ImportProfileParams.properties)).map((name) => `/${name}`),
  ...unknownMembers(wire.settings ?? {}, Object.keys(ImportSettings.properties)).map((name) => `/settings/${name}`),
]

interface Kept {
  readonly header: readonly string[]
  readonly settings: SentSettings
}

function sentProfile({ header = [], settings = {} }: WireImportProfile): Kept {
  const known = Object.entries(settings).filter(([name]) => Object.hasOwn(ImportSettings.properties, name))
  return { header, settings: Object.fromEntries(known) }
}

async function profileOfImport({ imports }: ImportProfilesContext, accountId: number, importId: number): Promise<Kept> {
  const found = await imports.find({ accountId, importId })
  if (!found) throw new ApiError('not_found', ROUTE_MESSAGES.import_unknown({ import_id: importId }))
  const { columns, evidence } = JSON.parse(found.detected!) as DetectedSettings
  if (columns.length === 0)
    throw invalidRequest([{ path: '/import_id', ...ROUTE_MESSAGES.import_profile_of_bodies({ import_id: importId }) }])
  return {
    header: columns.map(({ header }) => header),
    settings: settingsToKeep(JSON.parse(found.settings!) as Settings, evidence as readonly DetectionEvidence[]),
  }
}

function toNewProfile(name: string, { header, settings }: Kept): NewImportProfile {
  const profile = { name, header: JSON.stringify(header), settings: JSON.stringify(settings) }
  const size = profile.header.length + profile.settings.length
  if (size > PROFILE_LENGTH_MAX)
    throw invalidRequest([{ path: '', ...ROUTE_MESSAGES.import_profile_too_large({ max: PROFILE_LENGTH_MAX, size }) }])
  return { ...profile, headerSha256: headerHash(header) }
}

const profileView = ({ name, header, settings, savedAt }: StoredImportProfile) => ({
  name,
  header: JSON.parse(header) as readonly string[],
  settings: JSON.parse(settings) as SentSettings,
  saved_at: savedAt,
})
