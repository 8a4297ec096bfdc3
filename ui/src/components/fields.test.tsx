import { screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { expectAccessible, show } from '../../tests/inWindow'
import { Button } from './Button'
import { Choice } from './Choice'
import { DateField } from './DateField'
import { Fields, Form } from './Form'
import { MoneyField } from './MoneyField'
import { ParcelList, type Parcels } from './ParcelList'
import { ProblemSummary } from './ProblemSummary'
import { TextArea, TextField } from './TextField'

function Money({ start = '' }) {
  const [value, setValue] = useState(start)
  return <MoneyField label="Valuation" value={value} onChange={setValue} />
}

function Day({ onDay }: { onDay: (day: string | null) => void }) {
  const [value, setValue] = useState<string | null>(null)
  const change = (day: string | null) => {
    onDay(day)
    setValue(day)
  }
  return <DateField label="Start" value={value} onChange={change} today="2026-12-08" />
}

test('an amount is read back, and grouped on leaving', async () => {
  const { user } = show(<Money />)
  const input = screen.getByRole('textbox', { name: /Valuation in US dollars/ })
  await user.type(input, ' 250500.5')
  expect(screen.getByText('Read as $250,500.50')).toBeTruthy()
  await user.tab()
  expect(input).toHaveProperty('value', '250,500.5')
})

test('an amount with two readings stays as typed and is said to be so, after leaving', async () => {
  const { user } = show(<Money />)
  const input = screen.getByRole('textbox')
  await user.type(input, '12,5')
  expect(input.getAttribute('aria-invalid')).toBeNull()
  await user.tab()
  expect(input).toHaveProperty('value', '12,5')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Valuation must look like 1,234.56.')).toBeTruthy()
})

test('the wheel over an amount does nothing', async () => {
  show(<Money start="100" />)
  const input = screen.getByRole('textbox')
  input.focus()
  input.dispatchEvent(new WheelEvent('wheel', { deltaY: 120, bubbles: true }))
  expect(input).toHaveProperty('value', '100')
})

test('a pasted date is read, an impossible one says how long the month is', async () => {
  const onDay = vi.fn()
  const { user } = show(<Day onDay={onDay} />)
  const [segment] = screen.getAllByRole('spinbutton')
  segment?.focus()
  await user.paste('12/8/2026')
  expect(onDay).toHaveBeenLastCalledWith('2026-12-08')
  await user.paste('2/29/2027')
  expect(screen.getByText('February 2027 has 28 days.')).toBeTruthy()
  expect(onDay).toHaveBeenCalledTimes(1)
})

test('today is one press away', async () => {
  const onDay = vi.fn()
  const { user } = show(<Day onDay={onDay} />)
  await user.click(screen.getByRole('button', { name: 'Today as Start' }))
  expect(onDay).toHaveBeenLastCalledWith('2026-12-08')
})

test('up to seven choices are radio buttons, more are found by code or word', async () => {
  const options = ['Roof', 'Fence', 'Sign', 'Pool', 'Deck', 'Shed', 'Wall', 'Gate'].map((word) => ({
    code: word.slice(0, 2).toUpperCase(),
    word,
  }))
  const onChange = vi.fn()
  const { user, rerender } = show(
    <Choice label="Type" showCode options={options} value={null} onChange={onChange} />,
  )
  await user.type(screen.getByRole('combobox'), 'fe')
  await user.click(screen.getByRole('option', { name: /Fence/ }))
  expect(onChange).toHaveBeenLastCalledWith('FE')
  rerender(<div />)
  show(<Choice label="Type" options={options.slice(0, 7)} value={null} onChange={onChange} />)
  expect(screen.getAllByRole('radio')).toHaveLength(7)
})

test('who typed enough for one choice to be left has chosen it on leaving', async () => {
  const options = ['Roof', 'Fence', 'Sign', 'Pool', 'Deck', 'Shed', 'Wall', 'Gate'].map((word) => ({
    code: word.slice(0, 2).toUpperCase(),
    word,
  }))
  function Typed() {
    const [value, setValue] = useState<string | null>(null)
    return (
      <Form label="Form">
        <Choice label="Type" options={options} value={value} onChange={setValue} />
        <TextField label="Next" value={value ?? ''} onChange={() => {}} />
      </Form>
    )
  }
  const { user } = show(<Typed />)
  const [type, next] = [screen.getByRole('combobox'), screen.getByRole('textbox', { name: 'Next' })]
  await user.type(type, 'fen{Enter}')
  expect(document.activeElement).toBe(next)
  expect([type, next].map((input) => (input as HTMLInputElement).value)).toEqual(['Fence', 'FE'])
  await user.clear(type)
  await user.type(type, 'o{Enter}')
  expect((next as HTMLInputElement).value).not.toBe('RO')
})

test('a parcel can be added, and no parcel wants a reason', async () => {
  function Parcelled() {
    const [value, setValue] = useState<Parcels>({ numbers: ['1'], none: false, reason: '' })
    return <ParcelList value={value} onChange={setValue} />
  }
  const { user } = show(<Parcelled />)
  await user.click(screen.getByRole('button', { name: 'Add parcel' }))
  expect(screen.getAllByRole('textbox')).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Remove parcel 1' }))
  await user.click(screen.getByRole('checkbox'))
  expect(screen.getByRole('textbox', { name: 'Why there is no parcel number' })).toBeTruthy()
})

test('over the limit the text stays and is counted; a paste beyond all measure is left out whole', async () => {
  function Text() {
    const [value, setValue] = useState('12345678')
    return <TextField label="Name" limit={10} value={value} onChange={setValue} />
  }
  const { user } = show(<Text />)
  const input = screen.getByRole('textbox')
  input.focus()
  await user.paste('9abcd')
  expect(input).toHaveProperty('value', '123456789abcd')
  expect(screen.getByText('3 characters too many.')).toBeTruthy()
  await user.paste('x'.repeat(1_000_000))
  expect(input).toHaveProperty('value', '123456789abcd')
  expect(screen.getByText('Nothing was pasted: the text is longer than 64 KB.')).toBeTruthy()
})

test('Enter goes to the next field and never submits, but for a line in a long text', async () => {
  const pressed = vi.fn()
  const { user } = show(
    <Form label="Form">
      <TextField label="One" value="" onChange={() => {}} />
      <TextArea label="Two" value="" onChange={() => {}} />
      <Button onPress={pressed}>Go</Button>
    </Form>,
  )
  screen.getByRole('textbox', { name: 'One' }).focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Two' }))
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Two' }))
  expect(pressed).not.toHaveBeenCalled()
})

test('refused: the summary takes the focus, and each problem leads into its field', async () => {
  function Refused() {
    const heading = useRef<HTMLHeadingElement>(null)
    return (
      <>
        <ProblemSummary
          problems={[{ fieldId: 'site', text: 'Enter the site address.' }]}
          heading={heading}
          attempt={1}
        />
        <TextField
          id="site"
          label="Site address"
          value=""
          onChange={() => {}}
          problem="Enter the site address."
        />
      </>
    )
  }
  const { user } = show(<Refused />)
  expect(document.activeElement?.textContent).toBe('There is 1 problem')
  await user.click(screen.getByRole('link', { name: 'Enter the site address.' }))
  const input = screen.getByRole('textbox')
  expect(document.activeElement).toBe(input)
  const describing = (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(describing.join(' ')).toContain('Enter the site address.')
})

test('while it works a button keeps the focus and takes no further press', async () => {
  const pressed = vi.fn()
  const { user, rerender } = show(<Button onPress={pressed}>Accept</Button>)
  rerender(<div />)
  show(
    <Button pending pendingWord="Accepting" onPress={pressed}>
      Accept
    </Button>,
  )
  const button = screen.getByRole('button')
  button.focus()
  await user.keyboard('{Enter}{ }')
  expect(document.activeElement).toBe(button)
  expect(pressed).not.toHaveBeenCalled()
  expect(await screen.findByText('Accepting')).toBeTruthy()
})

test('axe finds nothing in a form with every kind of field', async () => {
  const { container } = show(
    <Form label="Form">
      <Fields legend="Work">
        <TextField
          label="Site address"
          hint="Like 12 Oak St"
          value=""
          onChange={() => {}}
          problem="Enter the site address."
        />
        <Money start="12,5" />
        <Day onDay={() => {}} />
        <Choice label="Class" options={[{ code: 'N', word: 'New' }]} value="N" onChange={() => {}} />
        <ParcelList value={{ numbers: ['1'], none: false, reason: '' }} onChange={() => {}} />
        <TextArea label="Description" optional value="" onChange={() => {}} />
      </Fields>
    </Form>,
  )
  await expectAccessible(container)
})
