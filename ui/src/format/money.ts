// What a person may type for an amount in US dollars, and how it is understood. The value stays the string: no
// double, no rounding. Refused is what could be read in two ways; guessing there has turned $12.50 into $1,250.

export type MoneyRead =
  | { kind: 'empty' }
  /** `amount` is what the station is given: digits, a point, at most two decimals. */
  | { kind: 'read'; amount: string }
  | { kind: 'refused'; why: MoneyRefusal }

export type MoneyRefusal = 'characters' | 'negative' | 'decimals' | 'grouping' | 'too-long'

/** The station takes thirteen digits before the point. */
const WHOLE_DIGITS_MAX = 13

export function readMoney(typed: string): MoneyRead {
  const text = typed.replace(
    /^[\s\u200b\u200e\u200f\u202a-\u202e\ufeff]+|[\s\u200b\u200e\u200f\u202a-\u202e\ufeff]+$/g,
    '',
  )
  if (text === '') return { kind: 'empty' }
  if (/^[-\u2212(]/.test(text) || /^\$\s*[-\u2212]/.test(text)) return refused('negative')
  const bare = text.replace(/^\$\s*/, '')
  if (!/^[0-9.,]+$/.test(bare)) return refused('characters')
  return readDigits(bare)
}

function readDigits(bare: string): MoneyRead {
  const [whole = '', ...rest] = bare.split('.')
  if (rest.length > 1 || rest.some((part) => part.includes(','))) return refused('grouping')
  if (whole.includes(',') && !/^\d{1,3}(,\d{3})+$/.test(whole)) return refused('grouping')
  const decimals = rest[0] ?? ''
  if (decimals.length > 2) return refused('decimals')
  const digits = whole.replaceAll(',', '').replace(/^0+(?=\d)/, '')
  if (digits === '' || (rest.length === 1 && decimals === '')) return refused('grouping')
  if (digits.length > WHOLE_DIGITS_MAX) return refused('too-long')
  return { kind: 'read', amount: decimals === '' ? digits : `${digits}.${decimals}` }
}

function refused(why: MoneyRefusal): MoneyRead {
  return { kind: 'refused', why }
}
