-- Orders are found by the beginning of their ids and of their customers', and listed by their days.

-- The order's own id leads: ids mostly rise, so that new ones are added at the end of the index, which stays dense.
alter table orders drop constraint orders_pkey;
alter table orders add primary key (account_id, order_id, customer_id);

-- Customers, days and statuses stand in these once for many orders, not once for each: PostgreSQL folds what is equal.
-- They have `account_id + 0`, which only those say who want them: of an account that statistics do not know yet, the
-- planner takes any index to be as good as the primary key, and would read all orders of the account for one of them.
create index orders_by_customer on orders ((account_id + 0), customer_id);
drop index orders_by_date;
create index orders_by_date on orders ((account_id + 0), order_date);
drop index orders_changed;
create index orders_changed on orders (account_id, status) where status <> 'created';
