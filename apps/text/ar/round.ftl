round-title = ماذا يجري في دورة واحدة؟
    .nav = دورة واحدة خطوة خطوة
round-why = تُسوِّد الدورة ثم تتحقق ثم تقبل أو ترفض، ثم تصحّح أو تضيف رمزًا. وأكثر أخطاء البرامج الحقيقية في الذاكرتين: تُظهر هذه الصفحة أي الأعمدة يبقى وأيها يُقتطع.

round-round = الدورة
round-step = الخطوة
    .help = خطوات المُسوِّد، وتمريرة الهدف، واختبار لكل رمز مُسوَّد بلغه الدور، والرموز الخارجة، والذاكرتان.
round-forward = الخطوة التالية
round-back = الخطوة السابقة
round-next = الدورة التالية
round-previous = الدورة السابقة
round-context = النص قبل هذه الدورة: «{ $text }»

round-phase-draft = التسويد
round-phase-verify = التحقُّق
round-phase-judge = القبول أو الرفض
round-phase-emit = التصحيح أو الإضافة
round-phase-trim = اقتطاع الذاكرتين
round-told-draft = **التسويد، الرمز { $position }.** يقترح المُسوِّد «{ $token }» مسحوبًا من توزيعه هو q، واحتماله ⁦q = { $q }⁩. لم يُسأل الهدف بعد.
round-told-verify = **التحقُّق.** تمريرة واحدة للهدف على { $positions } من المواضع: آخر رمز مُثبَّت، ومن الرموز المُسوَّدة { $drafted }. وتعطي توزيع الهدف p عند كل منها، بزيادة واحد على ما سُوِّد.
round-stopped-room = لم يُسوَّد أكثر من ذلك لأن الطول المطلوب لا يترك موضعًا لأكثر.
round-stopped-end = لم يُسوَّد أكثر من ذلك لأن المُسوِّد اقترح نهاية النص.
round-stopped-confidence = لم يُسوَّد أكثر من ذلك لأن المُسوِّد لم يكن واثقًا بما يكفي.
round-stopped-nothing = لم يُسوَّد أكثر من ذلك لأن المُسوِّد لم يكن عنده ما يقترحه.
round-stopped-oracle = لم يُسوَّد أكثر من ذلك لأن العالِم بالغيب عرف أن الرمز التالي سيُرفض.
round-told-accepted = **قُبل.** عند الهدف للرمز «{ $token }» احتمال ⁦p = { $p }⁩، وكان عند المُسوِّد ⁦q = { $q }⁩. احتمال القبول $\min(1, p/q)$ = { $acceptance }، والسحب ⁦u = { $u }⁩ أصغر منه.
round-told-rejected = **رُفض.** عند الهدف للرمز «{ $token }» احتمال ⁦p = { $p }⁩، وكان عند المُسوِّد ⁦q = { $q }⁩. احتمال القبول $\min(1, p/q)$ = { $acceptance }، والسحب ⁦u = { $u }⁩ ليس أصغر منه. ولا يُحكم على شيء بعده.
round-told-correction = **التصحيح.** مكان الرمز المرفوض يُسحب «{ $token }» من التوزيع المُعدَّل $p'$، أي مما يزيد به p على q. عدد الرموز الخارجة من الدورة { $emitted }، وعدد الرموز المُسوَّدة بعد الرفض، وهي لم يُحكم عليها، { $left }.
round-told-bonus = **الإضافة.** لم تُرفض أي مُسوَّدة، فبقي للتمريرة توزيع فائض: يُسحب منه «{ $token }». عدد الرموز الخارجة من الدورة { $emitted }.
round-told-cut = **القطع.** أنهى «{ $token }» النص. عدد الرموز الخارجة من الدورة { $emitted }؛ ويُترك ما سُوِّد بعده، ولا يُسحب رمز إضافي.
round-told-trim = **اقتطاع الذاكرتين.** تُنسى أعمدة الرموز التي لا تبقى: { $target } في ذاكرة الهدف و{ $draft } في ذاكرة المُسوِّد. وليس لآخر رمز خارج عمود بعد، فالدورة التالية تُغذّى به.
round-told-trim-target = **اقتطاع الذاكرة.** تُنسى أعمدة الرموز التي لا تبقى: { $target } في ذاكرة الهدف. وليس لآخر رمز خارج عمود بعد، فالدورة التالية تُغذّى به.

round-window-label = نافذة الدورة { $round }
round-row-position = الموضع
round-row-drafted = اقتراح المُسوِّد
round-row-q = ‏q، المُسوِّد
round-row-p = ‏p، الهدف
round-row-ratio = احتمال القبول
round-row-u = ‏u
round-row-test = الاختبار
round-row-emitted = الخارج
round-extra = واحد زائد
round-ready = معلوم
round-mark-accepted = قُبل
round-mark-rejected = رُفض
round-mark-unjudged = لم يُحكم عليه
round-meter = يُقبل ما دون { $acceptance }، والسحب ⁦u = { $u }⁩

round-cache-target = ذاكرة K/V للهدف
round-cache-draft = ذاكرة K/V للمُسوِّد
round-cache-none = ليس لهذا المُسوِّد ذاكرة: ينظر إلى النص وحده.
round-cache-before = { $positions } من المواضع من قبل
round-cache-length = فيها { $positions } من المواضع
round-column-new = عمود جديد
round-column-kept = باقٍ
round-column-trimmed = مقتطَع
round-legend = ✓ قُبل، ✕ رُفض، ◆ تصحيح، + رمز إضافي، ○ لم يُحكم عليه. وفي الذاكرة: الإطار السميك باقٍ، والمشطوب مقتطَع، والإطار المتقطّع لرمز مُسوَّد.

round-column-request = المُدخَل
round-column-round = الدورة
round-column-position = الموضع
round-column-token = الرمز
round-column-acceptance = احتمال القبول
round-column-verdict = الحكم

round-notice-one = مهما رُفض من الرموز، تُخرج كل دورة رمزًا واحدًا على الأقل، وهو دائمًا رمز الهدف نفسه.
round-notice-caches = بعد الرفض تُبقي ذاكرة الهدف عمودًا أكثر مما قُبل: عمود الرمز الذي غُذّيت به أولًا. وليس للمُسوِّد أبدًا عمود لآخر ما اقترحه، فهو بعد القبول الكامل متأخر بواحد ويُغذّى في الدورة التالية برمزين.
round-notice-judged = ما لم يُحكم عليه ليس مرفوضًا: لم يسأل أحد الهدف عن هذه الرموز في النص القائم الآن.
round-try-full = اذهب إلى دورة قُبل فيها كل شيء.
round-try-first = اذهب إلى دورة رُفضت أول مُسوَّدة فيها.
round-try-sampled = اجعل درجة الحرارة ١ وشغِّل: الآن p و q توزيعان، و u هو الفيصل.

token-accepted = رمز { $position }، قُبل
token-rejected = رمز { $position }، رُفض
token-corrected = رمز { $position }، تصحيح
token-bonus = رمز { $position }، إضافي
token-unjudged = رمز { $position }، لم يُحكم عليه

round-recording = { speculate-recording }
round-request = { speculate-prompt }
round-run-prompt = { speculate-prompt }
round-run-own = { speculate-own }
    .help = { speculate-own.help }
round-run-draft = { speculate-draft }
    .help = { speculate-draft.help }
round-run-policy = { speculate-policy }
    .help = { speculate-policy.help }
round-run-gamma = { speculate-gamma }
round-run-temperature = { speculate-temperature }
round-run-length = { speculate-length }
round-run-seed = { speculate-seed }
