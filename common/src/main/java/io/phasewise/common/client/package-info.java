/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Asking HTTP servers within limits on time and size that hold to the last byte of an answer. Every
 * HTTP client of the project asks through here.
 */
package io.phasewise.common.client;
