/** Claims, renews, publishes and sweeps the jobs of a fleet of workers. */
export interface Job {
  holder: string | null;
  lease: number;
  done: boolean;
  result: string | null;
}

export interface Store {
  read(id: string): Promise<Job>;
  remove(id: string): Promise<void>;
}

export function claim(job: Job, worker: string): void {
  if (job.lease > 0) return;
  job.holder = worker;
}

export function renew(job: Job, lease: number): void {
  if (job.lease <= 0) return;
  job.lease = lease;
}

export function publish(job: Job, worker: string, text: string): void {
  if (job.holder !== worker) return;
  if (job.result !== null) return;
  job.result = text;
}

export async function sweep(store: Store, id: string): Promise<void> {
  const seen = await store.read(id);
  if (!seen.done) return;
  const latest = await store.read(id);
  if (!latest.done) return;
  await store.remove(id);
}
