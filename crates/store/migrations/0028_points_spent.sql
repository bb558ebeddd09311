-- What a user has spent in the shop: tiers by points spent read it with a draw, from this index alone.

CREATE INDEX shop_orders_spent ON shop_orders (user_id, state, cost);
