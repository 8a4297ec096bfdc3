// A telephone number as it is shown: an American one in groups, with its extension; every other as it was typed.

const AMERICAN = /^(?:\+?1)?([2-9]\d{2})(\d{3})(\d{4})$/
const EXTENSION = /\s*(?:ext\.?|x|#)\s*(\d{1,6})$/i

export function phoneShown(typed: string): string {
  const extension = EXTENSION.exec(typed)?.[1]
  const main = typed.replace(EXTENSION, '')
  if (!/^[\d\s().+-]*$/.test(main)) return typed
  const parts = AMERICAN.exec(main.replace(/[^\d+]/g, ''))
  if (!parts) return typed
  const shown = `(${parts[1]}) ${parts[2]}-${parts[3]}`
  return extension ? `${shown} ext. ${extension}` : shown
}
