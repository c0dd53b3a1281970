/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import io.phasewise.report.source.SourceException.Kind;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a server's refusal means. Prometheus, Mimir and Thanos say by their words alone that a
 * question was too large; Thanos says so, too, that it is not itself that has failed, but one of
 * the stores that it asks.
 *
 * @param status of HTTP, not 200
 * @param body its begin
 */
record Refusal(int status, String body) {

    private static final Pattern LARGE =
            Pattern.compile("too many samples|timed out|timeout|deadline exceeded|exceeded maximum resolution|limit");

    private static final Pattern STORE =
            Pattern.compile("rpc error: code =|receive series from|to receive any data in");

    private static final int SHOWN = 300;

    /**
     * @param server its name
     */
    SourceException exception(String server) {
        return status == 401 || status == 403
                ? new SourceException(
                        Kind.REFUSED,
                        server
                                + " answers "
                                + status
                                + ": access refused; see --user, --bearer-token-file and --header")
                : new SourceException(kind(), server + " answers " + status + ": " + line(body));
    }

    private Kind kind() {
        String words = body.toLowerCase(Locale.ROOT);
        boolean unable = status == 422 || status >= 500;
        if (unable && words.contains("code = unavailable")) {
            return Kind.STORE_AWAY;
        }
        if (status == 413 || ((unable || status == 400) && LARGE.matcher(words).find())) {
            return Kind.TOO_MUCH;
        }
        if (unable && STORE.matcher(words).find()) {
            return Kind.STORE_AWAY;
        }
        return status == 429 || status >= 500 ? Kind.PASSING : Kind.REFUSED;
    }

    /** Begin of a text, without the ends of its lines. */
    static String line(String text) {
        String line = text.strip().replace('\n', ' ');
        return line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
    }
}
