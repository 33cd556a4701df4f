// What a file of orders may hold: each bound is far above what spreadsheets and programs write, and is looked at before
// any work is done. docs/imports.md tells them to whoever sends a file.

const MI = 1024 * 1024

/** Of the XML of a workbook: elements within each other, attributes of one, characters in or between two tags. */
export const XML_DEPTH_MAX = 32
export const XML_ATTRIBUTES_MAX = 256
/** A text of 32,767 characters, each written by its number, takes 327,670. */
export const XML_TOKEN_LENGTH_MAX = MI / 2

/** Parts of a ZIP file, and the bytes in which it lists them. */
export const PARTS_MAX = 10_000
export const DIRECTORY_BYTES_MAX = 4 * MI
/** What they unpack to in all, and how many times their packed bytes: rows are much alike, but not more so. */
export const UNPACKED_BYTES_MAX = 4 * 1024 * MI
export const UNPACKED_RATIO_MAX = 300
/** What a part, and all of them together, may unpack to however small they are packed. */
export const UNPACKED_PART_FREE = MI
export const UNPACKED_FILE_FREE = 16 * MI
/** Parts that are read as a whole: those that say of what a workbook consists, and its texts. */
export const DESCRIPTION_BYTES_MAX = 64 * MI
export const TEXTS_PART_BYTES_MAX = 512 * MI

/** As Excel has them: a workbook has at most 65,490 formats of cells, its codes at most 255 characters. */
export const CELL_FORMATS_MAX = 65_536
export const NUMBER_FORMATS_MAX = 5_000
export const FORMAT_CODE_LENGTH_MAX = 255
export const SHEETS_MAX = 1_000
export const RELATIONS_MAX = PARTS_MAX
/** Of a sheet, a relation or a part. */
export const NAME_LENGTH_MAX = 255
/** The different texts of a workbook in memory, with some bytes for each. */
export const TEXTS_BYTES_MAX = 128 * MI
/** Four for each row that a sheet may have. */
export const TEXTS_MAX = 4 * MI

/** Of a cell of a workbook, as spreadsheets have it, in characters. */
export const CELL_LENGTH_MAX = 32_767
/** A row longer than this many characters is refused, as POST refuses a longer body; no quote is looked for further. */
export const RECORD_LENGTH_MAX = MI
/** As many as a sheet has. */
export const COLUMNS_MAX = 16_384
/** The last that any spreadsheet has. */
export const ROW_NUMBER_MAX = 2 ** 24
export const HEADER_LENGTH_MAX = 1_000
/** Names of members in the lines of one JSON file. */
export const NAMES_MAX = 1_000
/** Cells that rows have by their width: a row of a few bytes may name its last column alone. */
export const TABLE_CELLS_MAX = 100_000_000
/** Characters of all rows of a sheet: a few bytes may name a long text, again and again. */
export const SHEET_TEXT_FREE = 64 * MI
export const SHEET_TEXT_RATIO_MAX = UNPACKED_RATIO_MAX

/** What is looked at to find out how a file is to be read: bytes of a text, rows and XML of sheets. */
export const HEAD_BYTES = 1_000_000
export const SAMPLE_BYTES_MAX = HEAD_BYTES
export const SAMPLE_ROWS_MAX = 5_000
export const SAMPLE_XML_BYTES_MAX = 32 * MI
/** JSON lines are looked at as whole lines, of which one may be longer than that. */
export const SAMPLE_LINES_MAX = 10_000
export const SAMPLE_LINES_BYTES_MAX = 3 * MI
