/** Pays an order once, however often the network loses an answer. */
export interface Gateway {
  charge(order: string, key: string): Promise<boolean>;
}

export interface Order {
  id: string;
  paid: boolean;
  attempts: number;
}

export const MAX_ATTEMPTS = 2;

export async function pay(gateway: Gateway, order: Order): Promise<boolean> {
  while (!order.paid && order.attempts < MAX_ATTEMPTS) {
    order.attempts += 1;
    const answered = await gateway.charge(order.id, keyOf(order));
    if (answered) order.paid = true;
  }
  return order.paid;
}

/** The same key for each attempt: the gateway charges a key once. */
export function keyOf(order: Order): string {
  return `order-${order.id}`;
}
