// Limits for order files. Each is far above what spreadsheets and programs write, and is checked before any work is
// done. docs/imports.md documents them for users.

const MI = 1024 * 1024

/** For the XML of a workbook: nesting depth, attributes of one element, characters in or between two tags. */
export const XML_DEPTH_MAX = 32
export const XML_ATTRIBUTES_MAX = 256
/** A text of 32,767 characters, each written as a numeric reference, takes 327,670 characters. */
export const XML_TOKEN_LENGTH_MAX = MI / 2

/** Parts of a ZIP file, and the size of their directory in bytes. */
export const PARTS_MAX = 10_000
export const DIRECTORY_BYTES_MAX = 4 * MI
/**
 * Total unpacked size, absolute and relative to the packed size. Rows are similar, but do not compress beyond this
 * ratio.
 */
export const UNPACKED_BYTES_MAX = 4 * 1024 * MI
export const UNPACKED_RATIO_MAX = 300
/** Unpacked size allowed for one part, and for all parts together, however small they are packed. */
export const UNPACKED_PART_FREE = MI
export const UNPACKED_FILE_FREE = 16 * MI
/** Parts that are read completely: the description of the workbook, and its texts. */
export const DESCRIPTION_BYTES_MAX = 64 * MI
export const TEXTS_PART_BYTES_MAX = 512 * MI

/** As in Excel: a workbook has at most 65,490 cell formats; format codes have at most 255 characters. */
export const CELL_FORMATS_MAX = 65_536
export const NUMBER_FORMATS_MAX = 5_000
export const FORMAT_CODE_LENGTH_MAX = 255
export const SHEETS_MAX = 1_000
export const RELATIONS_MAX = PARTS_MAX
/** Length of the name of a sheet, a relation or a part. */
export const NAME_LENGTH_MAX = 255
/** Memory for the distinct texts of a workbook, including some bytes of overhead for each. */
export const TEXTS_BYTES_MAX = 128 * MI
/** Four for each row that a sheet can have. */
export const TEXTS_MAX = 4 * MI

/** Characters in a cell of a workbook, as in spreadsheets. */
export const CELL_LENGTH_MAX = 32_767
/**
 * A row longer than this many characters is rejected, as POST rejects a longer body. Quotes are not searched beyond it.
 */
export const RECORD_LENGTH_MAX = MI
/** The header is searched in this number of rows with content, and may be stated up to this row. */
export const TITLE_ROWS_MAX = 30
export const HEADER_ROW_MAX = 1_000
/** As many as a sheet has. */
export const COLUMNS_MAX = 16_384
/** The highest row number of any spreadsheet. */
export const ROW_NUMBER_MAX = 2 ** 24
export const HEADER_LENGTH_MAX = 1_000
/** Distinct member names in the lines of one JSON file. */
export const NAMES_MAX = 1_000
/** Cells counted by the width of their rows, because a row of a few bytes may name only its last column. */
export const TABLE_CELLS_MAX = 100_000_000
/** Characters in all rows of a sheet, because a few bytes may refer to a long text repeatedly. */
export const SHEET_TEXT_FREE = 64 * MI
export const SHEET_TEXT_RATIO_MAX = UNPACKED_RATIO_MAX

/** Amount read to detect the settings: bytes of a text, rows and XML of sheets. */
export const HEAD_BYTES = 1_000_000
export const SAMPLE_BYTES_MAX = HEAD_BYTES
export const SAMPLE_ROWS_MAX = 5_000
export const SAMPLE_XML_BYTES_MAX = 32 * MI
/** JSON lines are read as complete lines, one of which may exceed the limit above. */
export const SAMPLE_LINES_MAX = 10_000
export const SAMPLE_LINES_BYTES_MAX = 3 * MI
