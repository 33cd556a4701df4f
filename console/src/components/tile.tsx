// A figure that stands above others: what it is, the number, and what else is to be known of it.
import type { ReactNode } from 'react'
import './tile.css'

export interface TileProps {
  readonly title: string
  readonly value: ReactNode
  readonly children?: ReactNode
}

export const Tile = ({ title, value, children }: TileProps) => (
  <section className="card tile">
    <h2>{title}</h2>
    <p className="tile-value">{value}</p>
    {children && <div className="muted">{children}</div>}
  </section>
)
