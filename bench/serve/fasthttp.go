package serve

import "github.com/valyala/fasthttp"

func fastHTTP(addr string, _ Options) error {
	return fasthttp.ListenAndServe(addr, func(ctx *fasthttp.RequestCtx) {
		body, err := sumByHand(ctx.Response.Body(), ctx.PostBody())
		if err != nil {
			ctx.Error(err.Error(), fasthttp.StatusBadRequest)
			return
		}
		ctx.SetContentType("application/json")
		ctx.SetBody(body)
	})
}
