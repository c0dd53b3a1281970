/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.http.HttpEndpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarksHandlerTest {

    private HttpEndpoint endpoint;

    @AfterEach
    void stop() {
        endpoint.close();
    }

    private HttpResponse<String> get(Optional<MarksHandler.Pages> pages, String query) throws Exception {
        endpoint = HttpEndpoint.named("test")
                .get("/marks", new MarksHandler(pages, System::nanoTime))
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        endpoint.start();
        URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + "/marks" + query);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String query) throws Exception {
        return get(Optional.of((form, after) -> "form " + form + " after " + after), query);
    }

    /** A reader of the release before does not know of forms, one of the next may know a later one. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "'', form 1 after 0",
                "?after=7, form 1 after 7",
                "?after=7&form=1, form 1 after 7",
                "?after=7&form=2, form 2 after 7",
                "?form=2, form 2 after 0",
                "?after=7&form=3&also=x, form 2 after 7"
            })
    void theFormThatIsAskedForIsAnswered(String query, String answer) throws Exception {
        HttpResponse<String> response = get(query);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"form=0", "form=x", "form=", "form=-1", "form=99999999999", "form=1&form=2"})
    void whatIsNoFormIsRefused(String query) throws Exception {
        HttpResponse<String> response = get("?" + query);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).startsWith("form must be");
    }

    @ParameterizedTest
    @ValueSource(strings = {"after=x", "after=", "after=-1", "after=1&after=2", "after=1234567890123456789"})
    void whatIsNoSequenceIsRefused(String query) throws Exception {
        HttpResponse<String> response = get("?" + query);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).startsWith("after must be");
    }

    @Test
    void withoutMarksThereIsNoPage() throws Exception {
        assertThat(get(Optional.empty(), "?form=2").statusCode()).isEqualTo(404);
    }
}
