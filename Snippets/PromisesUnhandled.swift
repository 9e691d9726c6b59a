// Hearing of rejections that nobody handles.

import Larder

// In place of the lines on standard error of debug builds; `nil` switches them off.
UnhandledRejection.report { rejection in
    print("unhandled: \(rejection.error), made in \(rejection.origin ?? "a release build")")
}
