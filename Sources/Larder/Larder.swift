// The whole library under one name: `import Larder` gives promises, store and client, and where a
// name is taken elsewhere, `Larder.Client` still says which one is meant. HTTP's own types come with
// it, since endpoints are written with them.

@_exported public import HTTPTypes
@_exported public import LarderClient
@_exported public import LarderObjectStore
@_exported public import LarderPromises
