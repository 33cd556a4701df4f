// Least squares in doubles: coefficients, and how far each point lies from what the others predict for it.

export interface Regression {
  readonly coefficients: readonly number[]
  /** Of each point, the observed value less what a fit of all the others predicts. */
  readonly leftOut: readonly number[]
}

type Matrix = readonly (readonly number[])[]

/**
 * Weighted least squares. A point left out is predicted without fitting again: its residual ÷ (1 − its leverage).
 * @param rows one row of regressors for each observation, more rows than columns
 * @param says square roots of the weights, each greater than zero
 * @throws RangeError where the regressors do not determine the coefficients
 */
export function regress(plainRows: Matrix, plain: readonly number[], says: readonly number[]): Regression {
  const width = plainRows[0]?.length ?? 0
  const rows = plainRows.map((row, at) => row.map((value) => value * says[at]!))
  const observed = plain.map((value, at) => value * says[at]!)
  const inverse = invert(
    Array.from({ length: width }, (_, i) =>
      Array.from({ length: width }, (_, j) => sumOf(rows, (row) => row[i]! * row[j]!)),
    ),
  )
  const moments = Array.from({ length: width }, (_, i) =>
    rows.reduce((sum, row, at) => sum + row[i]! * observed[at]!, 0),
  )
  const coefficients = inverse.map((row) => dot(row, moments))
  const leftOut = rows.map((row, at) => {
    const leverage = dot(
      row,
      inverse.map((one) => dot(one, row)),
    )
    return (observed[at]! - dot(row, coefficients)) / (1 - leverage) / says[at]!
  })
  return { coefficients, leftOut }
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)

const sumOf = (rows: Matrix, value: (row: readonly number[]) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0)

const SMALLEST_PIVOT = 1e-9

/** Gauss–Jordan with partial pivoting. */
function invert(matrix: Matrix): number[][] {
  const size = matrix.length
  const work = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, j) => (i === j ? 1 : 0))])
  for (let column = 0; column < size; column += 1) {
    let pivot = column
    for (let row = column + 1; row < size; row += 1) {
      if (Math.abs(work[row]![column]!) > Math.abs(work[pivot]![column]!)) pivot = row
    }
    if (Math.abs(work[pivot]![column]!) < SMALLEST_PIVOT) throw new RangeError('The regressors depend on each other')
    ;[work[column], work[pivot]] = [work[pivot]!, work[column]!]
    const scale = work[column]![column]!
    work[column] = work[column]!.map((value) => value / scale)
    for (let row = 0; row < size; row += 1) {
      if (row === column) continue
      const factor = work[row]![column]!
      work[row] = work[row]!.map((value, at) => value - factor * work[column]![at]!)
    }
  }
  return work.map((row) => row.slice(size))
}
