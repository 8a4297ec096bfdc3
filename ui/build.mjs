// Builds ui/dist from ui/src with plain Node: the shell embeds ui/dist when it is compiled, so the folder must be
// there before. Deliberately does nothing else: the real screens bring their own build.

import { cp, rm } from 'node:fs/promises'

const from = new URL('./src/', import.meta.url)
const to = new URL('./dist/', import.meta.url)

await rm(to, { recursive: true, force: true })
await cp(from, to, { recursive: true })
