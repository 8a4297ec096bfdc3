#!/usr/bin/env node
// Makes up permits of a year in BLDS core-permits form, for the demo, the drills and anybody's own trials.
//
//   node tests/samples/make-sample.mjs [--rows N] [--seed N] > permits.csv
//
// The same numbers give the same bytes. Names, streets and parcels are invented; the shapes are those that real files
// have: no parcel, several in one cell, one with a letter, two rows that are too short, negative unit counts,
// fractional areas and costs, kinds of work in free words or missing, permits without a completion date. Beyond these
// few, every row is a good one. It writes to standard output only.

const COLUMNS = [
  "PermitNum", "Description", "AppliedDate", "IssuedDate", "CompletedDate", "StatusCurrent", "OriginalAddress1",
  "OriginalCity", "OriginalState", "OriginalZip", "PermitClass", "PermitClassMapped", "WorkClass", "WorkClassMapped",
  "PermitType", "PermitTypeMapped", "PermitTypeDesc", "TotalSqFt", "EstProjectCost", "HousingUnits", "PIN",
  "ContractorCompanyName", "ContractorTrade",
];
const STREETS = ["Heron", "Millrace", "Juniper", "Lantern", "Cooper", "Orchard", "Tollgate", "Wren", "Saltbox", "Ferry"];
const STREET_KINDS = ["ST", "AV", "LN", "DR", "WY", "CT"];
const FIRMS = ["Larkspur", "Ironwood", "Bellwether", "Copperline", "Northgate", "Thistle", "Gable & Rafter", "Two Rivers"];
const FIRM_KINDS = ["Builders", "Roofing", "Plumbing", "Electric", "Mechanical, Inc.", 'Homes "Since 1961"'];
const CLASSES = [["Single Family", "Residential"], ["Apartment", "Residential"], ["Office", "Non-Residential"],
  ["Retail", "Non-Residential"], ["Apt/Condo/Townhouse", "Residential"]];
const WORKS = [["ReRoof", "Existing", "Building"], ["Sub-Trades Only", "Existing", "Plumbing"],
  ["Additions/Alterations", "Existing", "Building"], ["New Construction", "New", "Building"],
  ["Tenant Improvement", "Existing", "Building"], ["Panel upgrade, 200 A", "Existing", "Electrical"],
  ["Furnace; A/C", "Existing", "Mechanical"]];
const DAY_MS = 86_400_000;
const ROWS_MAX = 1_000_000;

function main() {
  const rows = number("--rows", 120, ROWS_MAX);
  const chance = generator(number("--seed", 2026, 2 ** 32 - 1));
  const lines = [COLUMNS.join(",")];
  for (let n = 1; n <= rows; n++) lines.push(line(n, rows, chance));
  process.stdout.write(`${lines.join("\n")}\n`);
}

function number(flag, usual, max) {
  const at = process.argv.indexOf(flag);
  if (at < 0) return usual;
  const value = Number(process.argv[at + 1]);
  if (!Number.isInteger(value) || value < 1 || value > max) {
    process.stderr.write(`${flag} takes a whole number from 1 to ${max}\n`);
    process.exit(2);
  }
  return value;
}

// Two rows, in the middle of the file, are what a broken export leaves: a record cut in two.
function line(n, rows, chance) {
  const middle = Math.floor(rows / 2);
  if (rows >= 10 && n === middle) return ",,2026-06-30,,,,,,,";
  if (rows >= 10 && n === middle + 1) return ",,,,,Permit Issued,,,,,,,,,,";
  return cells(n, chance).map(quoted).join(",");
}

function cells(n, chance) {
  const [permitClass, classMapped] = pick(CLASSES, chance);
  const [work, workMapped, type] = pick(WORKS, chance);
  const applied = Date.UTC(2026, 0, 2) + Math.floor(chance() * 360) * DAY_MS;
  const finished = chance() < 0.7;
  return [
    `2026-${String(n).padStart(6, "0")}-000-00-${classMapped === "Residential" ? "RS" : "CI"}`,
    `${work} - ${permitClass}`,
    day(applied), day(applied + Math.floor(chance() * 10) * DAY_MS),
    finished ? day(applied + (10 + Math.floor(chance() * 200)) * DAY_MS) : "",
    finished ? "Permit Finaled" : "Permit Issued",
    `${10 + Math.floor(chance() * 9000)} ${pick(STREETS, chance).toUpperCase()} ${pick(STREET_KINDS, chance)}`,
    "ALDER FALLS", "WA", "",
    permitClass, classMapped, n % 40 === 7 ? "" : work, workMapped,
    pick(["YNNN", "NYNN", "NNYY", "YYYY"], chance), type, chance() < 0.05 ? "" : type,
    amount(chance, 0.6, 4000, 0.03), amount(chance, 0.5, 250_000, 0.05), units(n, workMapped, chance),
    parcels(n, chance),
    `${pick(FIRMS, chance)} ${pick(FIRM_KINDS, chance)}`, type,
  ];
}

// Every fifteenth has none, every thirtieth several; the twenty-second has a letter in it.
function parcels(n, chance) {
  if (n % 15 === 4) return "";
  const first = 10_000_001 + Math.floor(chance() * 80_000_000);
  if (n === 22) return `${String(first).slice(0, 5)}A${String(first).slice(6)}`;
  const count = n % 30 === 11 ? 2 + Math.floor(chance() * 5) : 1;
  return Array.from({ length: count }, (_, i) => first + i).join(", ");
}

function units(n, workMapped, chance) {
  if (n % 50 === 13) return `-${1 + Math.floor(chance() * 3)}`;
  return workMapped === "New" ? String(1 + Math.floor(chance() * 12)) : "0";
}

function amount(chance, zero, max, fractional) {
  if (chance() < zero) return "0";
  const whole = 1 + Math.floor(chance() * max);
  if (chance() >= fractional) return String(whole);
  return `${whole}.${1 + Math.floor(chance() * 99)}`;
}

function day(ms) {
  return new Date(ms).toISOString().slice(0, 10);
}

function pick(list, chance) {
  return list[Math.floor(chance() * list.length)];
}

function quoted(cell) {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

// mulberry32: small, and the same on every machine.
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

main();
