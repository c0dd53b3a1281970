/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A request that has arrived as a whole. */
public final class Request {

    private final URI uri;
    private final Headers headers;
    private final byte[] body;

    Request(URI uri, Headers headers, byte[] body) {
        this.uri = uri;
        this.headers = headers;
        this.body = body;
    }

    /** With its escapes resolved. */
    public String path() {
        return uri.getPath();
    }

    /** What follows the question mark, with its escapes resolved; null where there is none. */
    public String query() {
        return uri.getQuery();
    }

    /** All values of a parameter in the query, in their order. */
    public List<String> parameters(String name) {
        List<String> values = new ArrayList<>();
        if (uri.getRawQuery() != null) {
            for (String pair : uri.getRawQuery().split("&")) {
                String[] parts = pair.split("=", 2);
                if (parts.length == 2 && decoded(parts[0]).equals(name)) {
                    values.add(decoded(parts[1]));
                }
            }
        }
        return values;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** The first value of a header. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.getFirst(name));
    }

    /** Empty unless it was a POST. */
    public byte[] body() {
        return body;
    }
}
