/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import io.phasewise.common.file.JarResource;
import io.phasewise.common.file.Sha256;
import io.phasewise.common.http.Answer;
import io.phasewise.common.http.Request;
import io.phasewise.common.http.RequestHandler;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The canary's own page: a shell that never changes, with its style and script. What it shows is
 * left to the script, which reads /status.
 *
 * <p>One answer, nothing loaded from elsewhere; the browser is instructed to run this script only
 * and to ask this server only.
 */
final class Page implements RequestHandler {
    private final byte[] html;
    private final String policy;

    Page() {
        String style = JarResource.text(Page.class, "page.css");
        String script = JarResource.text(Page.class, "page.js");
        String whole = JarResource.text(Page.class, "page.html");
        whole = whole.replace("{{page.css}}", style).replace("{{page.js}}", script);
        html = whole.getBytes(StandardCharsets.UTF_8);
        policy = "default-src 'none'; style-src '"
                + hash(style)
                + "'; script-src '"
                + hash(script)
                + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    @Override
    public Answer answer(Request request) {
        return Answer.of(200, "text/html; charset=utf-8", html).with("Content-Security-Policy", policy);
    }

    private static String hash(String text) {
        byte[] digest = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
        return "sha256-" + Base64.getEncoder().encodeToString(digest);
    }
}
