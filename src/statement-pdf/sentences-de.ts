// German translations of a statement's sentences, by the English text, which is the signed one.

export const SENTENCES: ReadonlyMap<string, string> = new Map([
  [
    'Embodied emission and use of a rental are spread over its months until its end; the year contains what falls ' +
      'into its own months.',
    'Graue Emissionen und Nutzung einer Miete sind auf ihre Monate bis zu ihrem Ende verteilt; das Jahr enthält, was ' +
      'auf seine eigenen Monate entfällt.',
  ],
  [
    'Packaging and transportation of an order count in full on the day of dispatch, which is its tenure start.',
    'Verpackung und Transport einer Bestellung zählen ganz am Tag des Versands; das ist der Beginn der Miete.',
  ],
  [
    'What was recorded later (orders, returns, extensions, cancellations, other corrections) counts in the months ' +
      'that it concerns. What it changes in months whose books were closed when it was recorded counts on the first ' +
      'open day, so that a closed year does not change.',
    'Was später erfasst wurde (Bestellungen, Rückgaben, Verlängerungen, Stornierungen, andere Korrekturen), zählt in ' +
      'den Monaten, die es betrifft. Änderungen an bei der Erfassung schon abgeschlossenen Monaten zählen am ersten ' +
      'offenen Tag, damit sich ein abgeschlossenes Jahr nicht ändert.',
  ],
  [
    'This statement includes everything recorded up to known_at. An order that was reversed with its import is left ' +
      'out, unless it counted in closed months.',
    'Der Buchungsstand (known_at) ist der Zeitpunkt, bis zu dem dieser Nachweis enthält, was erfasst wurde. Eine ' +
      'Bestellung, deren Import zurückgenommen wurde, fehlt, es sei denn, sie zählte in abgeschlossenen Monaten.',
  ],
  [
    'Opening is what all years before contain, closing is that with this year. What is posted for later months ' +
      'stands apart.',
    'Der Anfangsbestand ist, was alle Jahre davor enthalten, der Endbestand dasselbe mit diesem Jahr. Was für ' +
      'spätere Monate gebucht ist, steht gesondert.',
  ],
  ['The rental company’s own offices, computers and staff.', 'Büros, Rechner und Personal des Vermieters.'],
  [
    'Cleaning, repairing and wiping of devices, unless told to Cradle as a refurbishment.',
    'Reinigung, Reparatur und Datenlöschung der Geräte, außer wenn sie als Aufbereitung gemeldet wurden.',
  ],
  [
    'Transports that no order names, such as returns and journeys of people.',
    'Transporte, die keine Bestellung nennt, etwa Rücksendungen und Fahrten von Personen.',
  ],
  ['The end of life of packaging.', 'Die Entsorgung der Verpackung.'],
  [
    'Networks, data centres and software that the devices use.',
    'Netze, Rechenzentren und Software, die die Geräte nutzen.',
  ],
  ['Losses in electricity grids.', 'Verluste in Stromnetzen.'],
  [
    'Seen by the customer, who rents. What the rental company reports of the same devices is another book, and ' +
      'the two are never added up.',
    'Aus Sicht des Kunden, der mietet. Was der Vermieter zu denselben Geräten berichtet, ist eine andere ' +
      'Bilanz; beide werden nie zusammengezählt.',
  ],
  [
    'Lines of the type indicative are stand-ins or somebody else’s scenario. Metered electricity holds the use ' +
      'of the devices already, indicative or not: do not add the two.',
    'Richtwerte sind Ersatzwerte oder das Szenario eines anderen. Gemessener Strom enthält die Nutzung der ' +
      'Geräte bereits, ob Richtwert oder nicht: Beides nicht addieren.',
  ],
  [
    'Use is computed by the grid of the country (location-based, with the supply of fuels in it, which belongs ' +
      'to category 3), or by the electricity that a maker assumed. There is no market-based figure.',
    'Die Nutzung ist mit dem Strommix des Landes berechnet (standortbasiert, samt der Bereitstellung der ' +
      'Brennstoffe, die zu Kategorie 3 gehört) oder mit dem Strom, den ein Hersteller angenommen hat. Einen ' +
      'marktbasierten Wert gibt es nicht.',
  ],
  [
    'Nothing here was measured by the rental company or its carriers: figures are published ones, fitted from ' +
      'such, or assumed where METHODOLOGY.md says so; what a refurbishment emitted is taken as it was told or, where ' +
      'it was not, by the default of the type.',
    'Nichts davon haben der Vermieter oder seine Spediteure gemessen: Die Werte sind veröffentlicht, daraus ' +
      'abgeleitet oder, wo METHODOLOGY.md es sagt, angenommen; was eine Aufbereitung verursacht hat, ist so ' +
      'übernommen, wie es gemeldet wurde, und sonst die Vorgabe der Geräteart.',
  ],
  [
    'How each line came about is in the receipt of its order, which computes it from its inputs and figures. A ' +
      'grid factor is named by the year of use (EF_2026); it is the nearest published, whose year the receipt ' +
      'tells.',
    'Wie jede Zeile zustande kam, steht im Beleg ihrer Bestellung, der sie aus ihren Eingangsgrößen und Werten ' +
      'berechnet. Ein Stromfaktor ist nach dem Jahr der Nutzung benannt (EF_2026); er ist der nächstgelegene ' +
      'veröffentlichte, dessen Jahr der Beleg nennt.',
  ],
  [
    'Aligned with the GHG Protocol (Corporate Standard, Corporate Value Chain Standard); no third party has ' +
      'verified it.',
    'Ausgerichtet am GHG Protocol (Corporate Standard, Corporate Value Chain Standard); kein Dritter hat dies ' +
      'geprüft.',
  ],
  [
    'The share of the device that comes with the service bought.',
    'Der Anteil des Geräts, der mit der eingekauften Dienstleistung kommt.',
  ],
  [
    'The lessee operates the device, so its electricity is bought by the lessee.',
    'Der Mieter betreibt das Gerät und kauft daher seinen Strom.',
  ],
  [
    'The lessee does not control the device financially: it is the lessor’s.',
    'Der Mieter hat keine finanzielle Kontrolle über das Gerät: Es gehört dem Vermieter.',
  ],
  [
    'Production of packaging that comes with the service bought; its end of life is not in the figure.',
    'Herstellung der Verpackung, die mit der eingekauften Dienstleistung kommt; ihre Entsorgung ist nicht ' +
      'enthalten.',
  ],
  [
    'Transport to the customer, paid by the rental company as part of the service.',
    'Transport zum Kunden, vom Vermieter als Teil der Dienstleistung bezahlt.',
  ],
])
