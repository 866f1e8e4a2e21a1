"""One logit of a real model as it was computed: a recorded dot product of 576 terms.

SmolLM2-135M-Instruct, weights in BF16, prompt "Why is the sky blue?" in its chat template, lane
`bf16-emulated`: the last position's normalised hidden state and the row of the output matrix that
belongs to the likeliest token, "The". Both are BF16; four hexadecimal digits each. Nothing is read
from a file, so that a browser has it too.
"""

import numpy as np

from sims.arithmetic import TENSOR_CORE, products
from sims.formats import BF16, Values, decode
from sims.rounding import Singles

HIDDEN_BITS = (
    "c0263c34beadbd203f643e9cbf9bbe94404abfa83d383efd401b3d15c01c4018bf874105bf6ebf0cbf2a3e2ebe3fbf91"
    "be5c40523d28bf313f1ebfdc3f1bc19ebf7b3ebe3f443f85c03c3f9fbff6bf453f7c3f57beaa3fd7bfbcbea540163f14"
    "c0033f0240043fab3c5d3e81bca83f753ff93f893fd5c027be99bf143e7ebf8c3dc3bfcb3f39bfcdbfd2bea6bf8e3e47"
    "bf483fce3ec9bf15bf37bde33fbfbea1bdde3efbc0163e82bfa93e6c3f52bf47bf80beaebf7c3f79be033f5fbf74be20"
    "3f15bf24bf22be8fc032c0383fb43fd0bfdc3fbbbf933fadbc92c030be78bfb8bf9cbe41bd8dbf983f063f3fbfa3bf8c"
    "3f04bedfbfe93f423ecb3f59bedabf58be3dbff33fbcbec5bfbbbf91bed3bf743f6dbf433f0b404b3f32bddc3eab3db9"
    "3f283f0ac040c036c03dbf244008bf62bf9b3f4f4011c00bbfb83e20bf713f7abf473ef03e22bfae400cbbdebd6dbe77"
    "3fd24016bf24bfc33fbc40ecbe97c0043bc9bea1bf0a3f27bf49bf8cbf8cbf153fd0bf25c00ebaaa00003f8cbf173e02"
    "3eaf3f36bec7bdba404bbd6dbfa141fdbdafbf2dbe82bfadbe4ebe68bf4dbeea3f0b3db23e33c0083fa5bf923fd63dad"
    "bf363f6d3e373f813f743f1bbe9cbed33f0dbdb0bf8cbf373f51beaf40033ea7bf913f97400fbe1e3f0fc034bf403ff9"
    "3eb33fad3fd14028bfa2bf75bf70c0c73fffc015be583ecd3e23bfa9bf043f54bfc9bd913f123fb13ee13f93bd933fd1"
    "bf0ebed13da33fbc3f3e3fa83f57bfa7bda73f383f253fd0c0863f4cbea53d453ed2bed23f42be08bf62bf993e94bf11"
    "3f62bfbd3e7dbf24bfcb3f563fc33fe0403dbea8bfe24098bf0cbef3bf043e88bdf4bfe13f593fa1bdecbfb63fc9bf14"
    "beeb40153f2bbe3f3f7bbfc6bff8c001bfb53f15bf82bf94bef840093fc5bf2b3f44bf0dbf9440253f0a3eefc0443f55"
    "3fd83ff33f853e4abfcd40063fa53f2bbe283fce3f493f3b3ebc3fb4400a3f013f823fa73e81c008be494011bf9a3f34"
    "3cb83ec4bec53fdabe90c0183f473dae3fde3faabf5140613f0ebf5bbe91beae3ee13febbfd7bccd3efebe3a3ef9bfb1"
    "bff63f2bbece40f3bf38be2a3f053fcabee8bebf3dba3f4bbfa9be8cbf843eb6be46bf77bf8f3f933f21bfcf3ec3bf86"
    "bed23f15be4ebf5140023f8cbf9bbedebe783e5d3f903f18c012bf813ecabe8ebeb63f10bf24bcd4bfab3f5b3d3dbfe1"
    "3fd13ec93ef43fd2bd67beefbf893fd1c0003fadbf43bef0bfd9c005404f3bdcc006bef5bf883fd63e40be8cbf0bbf05"
    "bf19be82c0524004c0443db4bf333fb93f9c3f913e93bfebbefcbf4ebeb2c092be46beb0c0773f60bf6ebfaabf2a3f4e"
    "bfd8c1163f8abec63f413f3c3f283fe6be423e50bf44bfc73fe0bf653dcbbf9b3fe83ed83fb3bf81be09befdbf3f4006"
    "40043f693f98bf1dbf313f59bef5bd963f8d3e4ebe92bf353fb6bf8d3f32bf533f15c033bf933fcfbf2cbef93f63bedb"
    "bec43f8e3f1d3fbbbdb03f21bdc73f3e3f4a3eca3fb73eb73f7d3f7abfcb3e483f163ff03e85bf8bbf55be623f173f16"
    "3e363fbdbe91bdc9bfaa3f4abf9fbfbfbfbb3f3c3e6ebf493ffd3f5c40223f013f683ddcbd1cbf8d3f20bfa1bde2befe"
)
ROW_BITS = (
    "3de03c8fbdc23da83dbdbce03d603d94bcb800003e16bd4c3e05bc23bddbbb233bf53e3d3c4c3c23be28bb23bb23bca3"
    "bda3bd4c3d6bbca33e05bdad3cf5bea23cdc3d843d1abe2fbc1abcd1be2ebe0d3dd13dab3d7ebd30bb843d923dbe3db9"
    "3d043d303de2bd463e083e18bc8f3d9dbd95bc5c3d87bcb0bbdcbddcbce7bdabbde1bd0d3ca9be22bd0dbc1ebd8abd87"
    "3d45bdd93d61bbe1bdc03ddfbd84bc93bca93df8bd87bdbd3c78bd933e15bc873c073d453df0bab4bd233e323e0dbe33"
    "3de3be0cbdc0bd13be5e00003cfc3da1bdc43d3d3d2fbd28bd81bcd23dab3c443cfc3e1abd96bc9abae0bd67bc28bda8"
    "3db93dbdbd9a3d3d3d593c443dcbbae03d7fbdb2bba03d96bda3bd8cbdbc3d70bcb4bdcd3c8cbda5bd1bbdd5bcd2be12"
    "3dffbd48be1fbdaabdff3c0c3cb40000bdb7be0abcb4bca03d073c8cbcbe3d7fbd13bd8dbc13bdafbcddbd2c3d2c3ddd"
    "3e433d9a3d07bca0bd4b3d5d3c44bd9a3da3bda93d133de0bd57be26bc933e243e1dbd44bde93dc1bde0bd87bd69be1e"
    "3da3bdee3d75bd163d9d3d4c3b5a3ed83cf53ca3bdb83d883d16bd8fbc5abb5abcdabd96bd5abd5a3d31be16bd9dbcda"
    "3da33d31bc233e08bd81bde13ca33e013b3ebabe3d56be12be07bcfa3e073d98bd9ebdf4bd1bbdc73e2abe19bd0f3db6"
    "3ce23d273c83bb3ebd03bd5c3b8f3e213e3dbdb9bb3e3d68be10bda1bc9b3d44bd5dbd033db03d2cbe82bdd5bd833d13"
    "3e24bdc0bc033df2bcf63d3c3d93be05bd0bbc83bd1c3c65bdf6bcc43d133d443dc4bd13bb033db03dddbb03bc44bd9c"
    "bdccbcba3d6e3d84bd683db03dadbc9bbc78bd73bd443dfa3cf83b25bc86bd59be243c91bd253db2bdf53e0abd543d78"
    "3d49bdf03d0100003ba5bdf3bddebd91bc6abda2bdf03e02bdc5be12bdc2bd653c003caabaaabb2abdc83d98bdbd3d9d"
    "3dca3ccabe29bb803e0200003d65bcaabe12bdc8bdb23cb53d453c953e203c153db73dcc3cb43d39bde93ddcbd040000"
    "3e173bd43d843da7be28bd64bdc13d29bc3fbd8a3cb4bcfebdccbdb13e14bd1f3e213d8cbd993d8f3b7e3d59bdcebb7e"
    "bce53d0a3d15bd923d433d3d3d6bbddabcfcbdacbc373db73e143ab7bab73c95bbb7bdba3d0abd43bddfbc4e3db5bde5"
    "bda33e363d3d3ca03d0f3d04be14bd983ded3dc4bbd93cf4bdc8bdc4bc95bd9fbe57bd98be0dbd15be30be0dbe29bc23"
    "3ca3bde33c87bc87be0ebd87bd073d87bd743d6d3cf4bbd93cd9be0d3b59bd81bd803cb0bce53dacbe0cbd98bc9fbddf"
    "bde13dc43dae3d39bd583da83d12bd61bd943de1bd843d89bd733d1abdeebe07bda13de3bc543d98bdbebd80bd163a8d"
    "3d92bcb6bbe6bcd33cefbd883dd3be183d84be0e3d01bd6b3d4e3cd33dedbd063cf93c193d92bc90bdc93c53bd493cac"
    "3c19bd23bcefbda53e0bbd013d443e073d0ebd79bce1bd323d32bc553d613c6d3dc3bdf0bd55bc8e3d82bcd5bca6bd67"
    "bcf93c26be293e13bd94bd9a3dfcbe14bcbebc553d553cc93e3c3c8ebe2fbd97bc6d0000be103d2c3c9a3ca6bd1abdf3"
    "3b8e3cf9bd08babebc26bcc9bde13b3e3c0e3d14babe3df63e3cbc0e3d1a3d673c3e3d323d1a3d8ebd673d4f3e043d91"
)


def bf16_from_hex(text: str) -> Values:
    """The BF16 numbers whose bits stand in `text`, four hexadecimal digits each, as float64."""
    return decode(np.frombuffer(bytes.fromhex(text), ">u2"), BF16)


def logit_products() -> Singles:
    """The 576 products whose sum is the logit, exact in float32 (a BF16 product has 16 bits)."""
    return products(bf16_from_hex(HIDDEN_BITS), bf16_from_hex(ROW_BITS), TENSOR_CORE)
