// A map over another one, so that neither is copied.

/** Looks up in the upper map first. It iterates over both: first over the upper, then over what only the lower has. */
export const layered = <Key, Value>(
  upper: ReadonlyMap<Key, Value>,
  lower: ReadonlyMap<Key, Value>,
): ReadonlyMap<Key, Value> => (upper.size === 0 ? lower : new LayeredMap(upper, lower))

class LayeredMap<Key, Value> implements ReadonlyMap<Key, Value> {
  readonly #upper: ReadonlyMap<Key, Value>
  readonly #lower: ReadonlyMap<Key, Value>

  constructor(upper: ReadonlyMap<Key, Value>, lower: ReadonlyMap<Key, Value>) {
    this.#upper = upper
    this.#lower = lower
  }

  get size(): number {
    let count = this.#lower.size
    for (const key of this.#upper.keys()) if (!this.#lower.has(key)) count += 1
    return count
  }

  get(key: Key): Value | undefined {
    return this.#upper.get(key) ?? this.#lower.get(key)
  }

  has(key: Key): boolean {
    return this.#upper.has(key) || this.#lower.has(key)
  }

  *entries(): MapIterator<[Key, Value]> {
    yield* this.#upper.entries()
    for (const [key, value] of this.#lower) if (!this.#upper.has(key)) yield [key, value]
  }

  *keys(): MapIterator<Key> {
    for (const [key] of this.entries()) yield key
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries()
  }

  forEach(work: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) work(value, key, this)
  }
}
