package dev.holdfast.operator.lead;

import java.io.IOException;
import java.util.Optional;
import okhttp3.Interceptor;
import okhttp3.Response;

/** OkHttp interceptor that compares the clocks by each response to a request for the Lease. */
record DateInterceptor(ClockComparison comparison, String folder) implements Interceptor {
    /** Responses with this status or a higher one may come from a proxy instead of the API server. */
    private static final int SERVER_ERROR = 500;

    @Override
    public Response intercept(Chain chain) throws IOException {
        ClockReading sent = comparison.reading();
        Response response = chain.proceed(chain.request());
        // The client sends further requests to renew credentials, possibly to other servers.
        if (response.code() < SERVER_ERROR
                && chain.request().url().encodedPath().contains(folder)) {
            comparison.compare(sent, comparison.reading(), Optional.ofNullable(response.header("Date")));
        }
        return response;
    }
}
