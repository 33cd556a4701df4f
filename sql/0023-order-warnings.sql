-- What the ledgers of its devices said against an order when it was stored, as JSON: a repetition of the order is answered
-- with the same. Null for an order of which they said nothing, as of nearly all.
alter table orders add column warnings text;
