// Cancelling a chain stops the work at its source.

import Larder

let (download, resolver) = Promise<String>.pending()
resolver.onCancel { print("the transfer stops") }

let shown =
    download
    .then { (text: String) in print(text) }  // not called
    .finally { print("the spinner stops") }

shown.cancel()

// snippet.hide
print(await shown.result)
