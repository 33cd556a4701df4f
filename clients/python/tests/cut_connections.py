"""Stores orders, and returns them, through a proxy that cuts connections; writes what is stored then, as JSON.

    python cut_connections.py PROXY URL KEY ORDERS
"""

import asyncio
import json
import sys

import httpx
from cradle_client import AsyncClient, Client

proxy, url, key, count = sys.argv[1:]
PRODUCT = {"product_id": "apple-macbook-air-13-m3-256gb", "tenure_months": 3, "weight_kg": 1.24}
HEAD = {"customer_id": "c", "order_date": "2024-12-12", "tenure_start_date": "2025-01-01"}


async def store(cradle: AsyncClient, no: int) -> int:
    order_id = f"cut-{no}"
    items = [{"type": "product", "config": {**PRODUCT, "serial_number": f"CUT-{no}"}}]
    order = await cradle.create_order.with_response(body={**HEAD, "order_id": order_id, "items": items})
    event = {"event_id": f"back-{no}", "type": "returned", "date": "2025-02-16"}
    back = await cradle.create_order_event.with_response(customer_id="c", order_id=order_id, body=event)
    return order.attempts + back.attempts


async def main() -> int:
    # A connection for each request. At the same time, so one may be cut several times in a row.
    http = httpx.AsyncClient(limits=httpx.Limits(max_keepalive_connections=0))
    async with AsyncClient(proxy, key, retries=10, http=http) as cradle:
        return sum(await asyncio.gather(*(store(cradle, no) for no in range(int(count)))))


attempts = asyncio.run(main())
with Client(url, key) as direct:
    statuses = [order.status for order in direct.list_orders(limit=7).to_list(limit=1000)]
    orders_of_devices = [device.number_of_orders for device in direct.list_devices().to_list(limit=1000)]
print(json.dumps({"attempts": attempts, "statuses": statuses, "orders_of_devices": orders_of_devices}))
