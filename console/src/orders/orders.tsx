// The orders: the table of all, or the page of the one that the path names.
import { useLocation } from 'wouter'
import { OrderList } from './order-list.tsx'
import { OrderPage } from './order-page.tsx'
import { keyOfPath } from './order-path.ts'
import './orders.css'

export function Orders() {
  // The router's own parameters are decoded halfway: an id may hold anything, a slash or a percent sign too.
  useLocation()
  const key = keyOfPath(location.pathname)
  return key ? <OrderPage key={JSON.stringify(key)} {...key} /> : <OrderList />
}
