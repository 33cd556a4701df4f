// Messages of the MCP server.
import { defineMessages } from '../engine/message.ts'

export const MCP_MESSAGES = defineMessages({
  mcp_result_too_large: [
    'The result of {tool} has {characters} characters, more than the {max} allowed; ask for less, with fewer members ',
    'in include, a lower limit, or a filter',
  ],
  mcp_id_of_dots: '"{id}" cannot be part of a path, so nothing can be read under it',
  mcp_arguments_too_long: 'The arguments are longer than a request may be; send fewer or shorter values',
  mcp_several_messages: 'Send one message per request, not several',
  mcp_origin_foreign:
    'The header Origin names a page of another machine; only programs and pages of this machine may call /mcp',
})
