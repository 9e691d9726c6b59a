// Hearing of rejections that nobody handles.

import Larder

UnhandledRejection.report { rejection in
    print("unhandled: \(rejection.error), made in \(rejection.origin ?? "a release build")")
}
