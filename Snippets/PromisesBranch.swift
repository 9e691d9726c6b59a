// A promise that several get, each of whom may give it up.

import Larder

let (report, resolver) = Promise<String>.pending()
resolver.onCancel { print("the work stops") }

let (screen, widget) = (report.branch(), report.branch())
screen.cancel()  // the widget gets its report
widget.cancel()  // the work stops

// snippet.hide
print(await report.result)
