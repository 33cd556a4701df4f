// Detects how a stored file is to be read, or why that cannot be determined.
import type { ImportKey } from '../postgres/import-record.ts'
import type { Imports } from '../postgres/imports.ts'
import { detectSettings, type Detected } from '../spreadsheets/detect-settings.ts'
import type { Settings } from '../spreadsheets/settings.ts'
import { parseJson } from './parse-json.ts'
import { openChunkedFile } from './stored-file.ts'

export interface StoredFile {
  readonly key: ImportKey
  readonly bytes: number
  readonly fileName: string | null
  /** The settings that the client sent. */
  readonly asked: Partial<Settings>
}

/** @param signal aborted when no caller waits for the result any more */
export type Detect = (file: StoredFile, signal: AbortSignal) => Promise<Detected>

export const detectFile = (
  imports: Pick<Imports, 'piece'>,
  { key, bytes, fileName, asked }: StoredFile,
): Promise<Detected> =>
  detectSettings(
    openChunkedFile(bytes, (no) => imports.piece(key, no)),
    fileName,
    asked,
    parseJson,
  )
