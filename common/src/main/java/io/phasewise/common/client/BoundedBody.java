/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Takes a body into memory up to a limit, and closes the connection when it grows beyond it or does
 * not begin as it should. Its time limit is kept by {@link BoundedClient}.
 */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {

    private final BoundedClient.Limits limits;
    private final CompletableFuture<byte[]> result = new CompletableFuture<>();
    private ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private Flow.Subscription subscription;
    private boolean cancelled;
    private boolean begun;

    BoundedBody(BoundedClient.Limits limits) {
        this.limits = limits;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return result;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription to) {
        subscription = to;
        if (cancelled) {
            to.cancel();
        } else {
            to.request(Long.MAX_VALUE);
        }
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> buffers) {
        if (cancelled) {
            return;
        }
        for (ByteBuffer buffer : buffers) {
            if (taken.size() + (long) buffer.remaining() > limits.bytes) {
                fail(limits.tooLarge());
                return;
            }
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            taken.write(bytes, 0, bytes.length);
        }
        if (!begun && !beginsRight()) {
            fail(new IOException("the answer is not of the expected kind"));
        }
    }

    private boolean beginsRight() {
        byte[] all = taken.toByteArray();
        begun = all.length >= limits.beginning.length;
        for (int i = 0; i < Math.min(all.length, limits.beginning.length); i++) {
            if (all[i] != limits.beginning[i]) {
                return false;
            }
        }
        return true;
    }

    private void fail(IOException why) {
        result.completeExceptionally(why);
        cancel();
    }

    /** Takes no more, and closes the connection. */
    synchronized void cancel() {
        cancelled = true;
        taken = new ByteArrayOutputStream();
        if (subscription != null) {
            subscription.cancel();
        }
        result.completeExceptionally(new IOException("broken off"));
    }

    @Override
    public void onError(Throwable why) {
        result.completeExceptionally(why);
    }

    @Override
    public synchronized void onComplete() {
        result.complete(taken.toByteArray());
    }
}
