// Marks the routes that accept a file instead of JSON.
import type { FastifyContextConfig, FastifyRequest } from 'fastify'

interface RouteConfig {
  readonly fileTypes?: readonly string[]
}

/** Route configuration of a route that accepts files of these media types. */
export const acceptingFiles = (types: readonly string[]): FastifyContextConfig =>
  ({ fileTypes: types }) as FastifyContextConfig & RouteConfig

/** The media types of the files that the route accepts; null if it accepts none. */
export const fileTypesOf = ({ routeOptions }: FastifyRequest): readonly string[] | null =>
  (routeOptions.config as RouteConfig).fileTypes ?? null

export const acceptsFile = (request: FastifyRequest): boolean => fileTypesOf(request) !== null
